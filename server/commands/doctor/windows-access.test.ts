import { describe, expect, it } from 'vitest';
import { checkWindowsAccess, findOpenGroups } from './windows-access.ts';

/** As Windows gives a folder below `C:\\`: all accounts may change it. */
const INHERITED =
  'O:BAG:S-1-5-21-1-2-3-513D:AI(A;OICIID;FA;;;BA)(A;OICIID;FA;;;SY)(A;OICIID;0x1200a9;;;BU)(A;ID;0x1301bf;;;AU)' +
  '(A;OICIIOID;SDGXGWGR;;;AU)';
/** As `service install` leaves it. */
const CLOSED = 'O:BAG:BAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1301bf;;;LS)(A;OICI;FA;;;S-1-5-21-1-2-3-1001)';

describe('checkWindowsAccess', () => {
  it('finds each group of all accounts once, and no denied or single account', () => {
    expect(findOpenGroups(INHERITED)).toEqual(['Users', 'Authenticated Users']);
    expect(findOpenGroups(CLOSED)).toEqual([]);
    expect(findOpenGroups('O:BUG:BUD:(D;;FA;;;WD)(A;;FA;;;SY)')).toEqual([]);
    expect(findOpenGroups('D:(A;;FA;;;WD)')).toEqual(['Everyone']);
  });

  it('says what to do about an open folder', () => {
    expect(checkWindowsAccess('C:\\PBB-Kita\\data', () => INHERITED)).toEqual({
      what: 'folder data terbuka bagi semua akun di komputer ini (Users, Authenticated Users)',
      advice: expect.stringMatching(/service install.*C:\\Users\\nama\\PBB-Kita/),
    });
    expect(checkWindowsAccess('C:\\data', () => CLOSED)).toEqual({
      what: 'folder data tertutup bagi akun lain di komputer ini',
    });
  });

  it('finds no problem where Windows does not say who may open the folder', () => {
    expect(checkWindowsAccess('Z:\\data', () => null).advice).toBeUndefined();
  });
});
