import type {Readable, Writable} from 'node:stream';
import {expect} from 'vitest';
import {EmulatedTerminal} from '#test/support/terminal/emulated-terminal.ts';
import {keyBytes} from '#test/support/terminal/keys.ts';
import {modern, type TerminalProfile} from '#test/support/terminal/terminal-profile.ts';

export interface ChannelTerminalOptions {
  readonly cols: number;
  readonly rows: number;
  readonly persona?: TerminalProfile;
  /** Whether it has the graphics protocol of kitty. */
  readonly hasGraphics?: boolean;
}

/** A terminal emulator at the ends of two streams, as a client of SSH has them. */
export class ChannelTerminal {
  readonly device: EmulatedTerminal;
  readonly #input: Writable;

  #transcript = '';

  constructor(output: Readable, input: Writable, options: ChannelTerminalOptions) {
    const {cols, rows, persona = modern, hasGraphics = false} = options;
    this.#input = input;
    this.device = new EmulatedTerminal({
      cols,
      rows,
      persona,
      background: 'dark',
      onAnswer: (bytes) => this.write(bytes),
    });
    output.on('data', (chunk: Buffer) => {
      this.#transcript += chunk.toString('latin1');
      if (hasGraphics && chunk.includes('\u001b_Gi=31')) this.write('\u001b_Gi=31;OK\u001b\\');
      this.device.feed(chunk, () => {});
    });
  }

  /** All output, as UTF-8. */
  transcript(): string {
    return Buffer.from(this.#transcript, 'latin1').toString('utf8');
  }

  write(bytes: string): void {
    if (this.#input.writable) this.#input.write(bytes);
  }

  type(text: string): void {
    this.write(text);
  }

  /** Presses keys by their names. */
  keys(...names: string[]): void {
    for (const name of names) this.write(keyBytes(name, this.device.modes.keyboard));
  }

  /** Presses a key again and again, until the screen shows a text: what it goes to may not have arrived. */
  async waitForAfter(key: string, text: string): Promise<void> {
    const screen = () => {
      this.keys(key);
      return this.device.screen().printed();
    };
    await expect.poll(screen, {interval: 200}).toMatch(text);
  }

  /** Resolves when the screen shows a text. */
  async waitFor(text: string | RegExp): Promise<void> {
    await expect.poll(() => this.device.screen().printed()).toMatch(text);
  }
}
