import {once} from 'node:events';
import ssh2, {type Client, type ClientChannel} from 'ssh2';
import {EmulatedTerminal} from '#test/support/terminal/emulated-terminal.ts';
import {keyBytes} from '#test/support/terminal/keys.ts';
import type {Screen} from '#test/support/terminal/screen.ts';
import type {Size} from '#test/support/terminal/terminal.ts';
import {modern} from '#test/support/terminal/terminal-profile.ts';

export interface KeyPair {
  readonly private: string;
  readonly public: string;
}

export function newKey(): KeyPair {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519');
    // The library leaves out a leading zero of some keys.
    if (Buffer.from(pair.public.split(' ')[1] ?? '', 'base64').length === 51) return pair;
  }
}

/** Resolves when the log-in is finished. Each person has an address of this machine, because connections of one are limited. */
export async function logIn(port: number, key: KeyPair, at: number): Promise<Client> {
  const client = new ssh2.Client();
  const localAddress = `127.0.0.${2 + (at % 250)}`;
  client.connect({host: '127.0.0.1', port, localAddress, username: 'bench', privateKey: key.private});
  await once(client, 'ready');
  client.setNoDelay(true);
  return client;
}

/** The screen of a person: a channel and a terminal. */
export class RemoteScreen {
  readonly #device: EmulatedTerminal;
  readonly #channel: ClientChannel;
  #received = () => {};

  static async open(client: Client, command: string, {cols, rows}: Size): Promise<RemoteScreen> {
    const options = {
      pty: {term: 'xterm-256color', cols, rows},
      env: {LANG: 'C.UTF-8', TZ: 'UTC', COLORTERM: 'truecolor'},
    };
    const {promise, resolve, reject} = Promise.withResolvers<ClientChannel>();
    client.exec(command, options, (error, channel) => (error == null ? resolve(channel) : reject(error)));
    return new RemoteScreen(await promise, {cols, rows});
  }

  private constructor(channel: ClientChannel, size: Size) {
    this.#channel = channel;
    const onAnswer = (bytes: string) => this.write(bytes);
    this.#device = new EmulatedTerminal({...size, persona: modern, background: 'dark', onAnswer});
    channel.on('data', (chunk: Buffer) => this.#device.feed(chunk, () => this.#received()));
    channel.stderr.on('data', (chunk: Buffer) => console.error(String(chunk)));
  }

  write(bytes: string): void {
    this.#channel.write(bytes);
  }

  keys(...names: string[]): void {
    for (const name of names) this.write(keyBytes(name, this.#device.modes.keyboard));
  }

  async waitFor(isReached: (screen: Screen) => boolean, what: string): Promise<void> {
    const {promise, resolve, reject} = Promise.withResolvers<void>();
    const timer = setTimeout(() => reject(new Error(`Missing: ${what}\n${this.#device.screen().printed()}`)), 30_000);
    this.#received = () => isReached(this.#device.screen()) && resolve();
    this.#received();
    await promise;
    clearTimeout(timer);
    this.#received = () => {};
  }

  /** Calls the listener with what arrives instead of showing it, which would take time from other measurements. */
  listen(listener: (chunk: Buffer) => void): void {
    this.#channel.removeAllListeners('data');
    this.#channel.on('data', listener);
  }
}
