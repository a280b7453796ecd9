import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { watchCertificates, openCertificates } from './open-certificates.ts';
import { describeNetwork } from './network.ts';
import type { CertificateSource } from './certificate-source.ts';
import { MINUTE_MS } from '#shared/durations.ts';

function buildSource(refresh: () => boolean): CertificateSource {
  return {
    current: () => ({ key: 'key', cert: 'cert' }),
    refresh,
    names: () => null,
    isValidFor: (host) => host !== '203.0.113.7',
    refreshEveryMs: MINUTE_MS,
    authority: null,
  };
}

function startWatching(refresh: () => boolean) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const [apply, info, error] = [vi.fn(), vi.fn(), vi.fn()];
  const stop = watchCertificates(buildSource(refresh), apply, { info, error });
  onTestFinished(stop);
  return { apply, error, stop };
}

describe('watchCertificates', () => {
  it('applies a new certificate as soon as there is one', () => {
    const answers = [false, true, false];
    const { apply, stop } = startWatching(() => answers.shift() ?? false);
    vi.advanceTimersByTime(MINUTE_MS);
    expect(apply).not.toHaveBeenCalled();
    vi.advanceTimersByTime(5 * MINUTE_MS);
    expect(apply.mock.calls).toEqual([[{ key: 'key', cert: 'cert' }]]);
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('logs an unusable certificate once, and again when the error changes', () => {
    let certificateError = 'rusak';
    const { apply, error } = startWatching(() => {
      if (certificateError) throw new Error(certificateError);
      return true;
    });
    vi.advanceTimersByTime(10 * MINUTE_MS);
    expect(error).toHaveBeenCalledTimes(1);
    certificateError = 'habis';
    vi.advanceTimersByTime(10 * MINUTE_MS);
    expect(error).toHaveBeenCalledTimes(2);
    expect(apply).not.toHaveBeenCalled();
    certificateError = '';
    vi.advanceTimersByTime(MINUTE_MS);
    expect(apply).toHaveBeenCalledTimes(1);
  });
});

it('opens no certificates while https is off', () => {
  expect(openCertificates({ files: null, local: false, port: 3443, public: null }, '/nowhere')).toBeNull();
});

describe('describeNetwork', () => {
  const host = '203.0.113.7';

  it('lists no https addresses while https is off', () => {
    expect(describeNetwork({ host, port: 3000, securePort: 3443, certificates: null })).toEqual({
      addresses: ['http://203.0.113.7:3000'],
      secureAddresses: [],
      hasLocalAuthority: false,
    });
  });

  it('lists only https addresses for which the certificate is valid', () => {
    const certificates = buildSource(() => false);
    const at = (where: string) => describeNetwork({ host: where, port: 3000, securePort: 443, certificates });
    expect(at(host).secureAddresses).toEqual([]);
    expect(at('192.168.1.10').secureAddresses).toEqual(['https://192.168.1.10']);
    expect(at('fd00::5').secureAddresses).toEqual(['https://[fd00::5]']);
    expect(at('127.0.0.1').secureAddresses).toEqual([]);
  });

  it('lists the names in the user’s own certificate', () => {
    const certificates = { ...buildSource(() => false), names: () => ['pbb.desa.go.id', '[fd00:0:0:0:0:0:0:5]'] };
    expect(describeNetwork({ host, port: 3000, securePort: 3443, certificates }).secureAddresses).toEqual([
      'https://pbb.desa.go.id:3443',
      'https://[fd00::5]:3443',
    ]);
  });
});
