import { strict as assert } from 'node:assert';
import { TestClient } from '../testing/test-client.ts';
import type { Installation, ProgramHost, ProgramRun } from './program-host.ts';

export const RANDOM_PORT = ['--port', '0'];
/** The account of a user that the first cases register. */
export const newUser = { name: 'Budi Santoso', email: 'budi@contoh.id', password: 'kata-sandi-budi' };

/** The state that the cases pass on: the installation, the running server and the accounts. */
export class SmokeState {
  readonly host: ProgramHost;
  readonly main: Installation;
  private readonly others: Installation[] = [];
  private readonly runs = new Set<ProgramRun>();
  server: ProgramRun | null = null;
  admin = new TestClient('');
  user = new TestClient('');
  adminPassword = '';
  recordId = '';
  backupName = '';

  constructor(host: ProgramHost) {
    this.host = host;
    this.main = host.install();
  }

  /** A second, empty installation. */
  installAnother(): Installation {
    const other = this.host.install();
    this.others.push(other);
    return other;
  }

  start(installation: Installation, args: string[], environment?: Record<string, string>, input?: string): ProgramRun {
    const run = installation.start(args, environment, input);
    this.runs.add(run);
    return run;
  }

  /** Starts the server of an installation, and signs in again where there are accounts. */
  async startServer(environment?: Record<string, string>, installation = this.main): Promise<string> {
    this.server = this.start(installation, RANDOM_PORT, environment);
    const url = await this.server.waitUntilReady();
    [this.admin, this.user] = [new TestClient(url), new TestClient(url)];
    if (this.recordId !== '') await this.signIn();
    return url;
  }

  async signIn(): Promise<void> {
    await this.admin.authenticate('/api/auth/login', { email: 'admin@pbb.local', password: this.adminPassword });
    await this.user.authenticate('/api/auth/login', { email: newUser.email, password: newUser.password });
  }

  /** Ends the server as Ctrl+C does, and checks that it ended properly. */
  async stopServer(): Promise<void> {
    const server = this.requireServer();
    server.interrupt();
    assert.equal(await server.waitForExit(), 0, server.output());
    assert.match(server.output(), /^Server dihentikan\.$/m);
    this.server = null;
  }

  requireServer(): ProgramRun {
    if (!this.server) throw new Error('an earlier case failed, so no server is running');
    return this.server;
  }

  /** Runs a command of an installation until it ends. */
  async command(args: string[], input?: string, installation = this.main): Promise<{ code: unknown; output: string }> {
    const run = this.start(installation, args, undefined, input);
    const code = await run.waitForExit();
    assert.doesNotMatch(run.output(), /\n\s+at /, 'a stack trace');
    return { code, output: run.output() };
  }

  close(): void {
    for (const run of this.runs) run.kill();
    for (const installation of [this.main, ...this.others]) installation.remove();
  }
}
