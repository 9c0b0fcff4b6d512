import type {Terminal as Emulator} from '@xterm/headless';
import {modernTerminal} from './modern-terminal.ts';
import {Modes, numericParam} from './modes.ts';
import {palettes, reportedColour} from './palette.ts';
import {Screen} from './screen.ts';
import type {TerminalProfile} from './terminal-profile.ts';

interface EmulatedTerminalOptions {
  readonly cols: number;
  readonly rows: number;
  readonly persona: TerminalProfile;
  readonly background: 'dark' | 'light';
  /** Receives the terminal's replies, to be sent to the program. */
  readonly onAnswer: (bytes: string) => void;
}

const esc = '\u001b';
const st = `${esc}\\`;
const cellPixels = {width: 10, height: 20} as const;
/** A terminal without a process: it shows the bytes that are written to it and replies as its profile says. */
export class EmulatedTerminal {
  readonly emulator: Emulator;
  readonly modes: Modes;
  /** Texts that were put on the clipboard, in order. */
  readonly clipboard: string[] = [];
  /** The number of requests to read the clipboard, which are never answered. */
  clipboardReads = 0;
  /** The payloads of OSC 9, 99 and 777, as `9;text`. */
  readonly notifications: string[] = [];
  /** The addresses of hyperlinks, in the order they were written. */
  readonly links: string[] = [];
  bells = 0;
  title = '';
  readonly #options: EmulatedTerminalOptions;

  constructor(options: EmulatedTerminalOptions) {
    this.#options = options;
    this.emulator = modernTerminal(options.cols, options.rows);
    // Without these options the emulator does not pass on such requests.
    this.emulator.options.windowOptions = {
      pushTitle: true,
      popTitle: true,
      getWinSizePixels: true,
      getCellSizePixels: true,
      getWinSizeChars: true,
    };
    this.modes = new Modes(this.emulator, options.persona);
    this.emulator.onBell(() => this.bells++);
    this.emulator.onTitleChange((title) => {
      this.title = title;
    });
    // The emulator replies to status queries itself; all other replies are ours.
    this.emulator.onData((answer) => {
      if (answer !== '' && options.persona.reportsStatus) options.onAnswer(answer);
    });
    this.#answerQueries();
    this.#keepSideEffects();
  }

  /**
   * Shows bytes. `parsed` is called when they are on the screen, which is at once unless parsing takes many
   * milliseconds.
   */
  feed(data: Uint8Array | string, parsed: () => void): void {
    // Otherwise the emulator would wait for a timer first.
    this.emulator.input('', true);
    this.emulator.write(data, parsed);
  }

  screen(): Screen {
    return new Screen(this.emulator, this.modes.cursorVisible);
  }

  #answerQueries(): void {
    const {persona, background} = this.#options;
    const {parser} = this.emulator;
    const answer = (bytes: string | undefined) => {
      if (bytes !== undefined) this.#options.onAnswer(bytes);
      return true;
    };
    const {attributes, version} = persona;
    parser.registerCsiHandler({final: 'c'}, () =>
      answer(attributes === undefined ? undefined : `${esc}[?${attributes}c`),
    );
    parser.registerCsiHandler({prefix: '>', final: 'q'}, () =>
      answer(version === undefined ? undefined : `${esc}P>|${version}${st}`),
    );
    parser.registerCsiHandler({prefix: '?', final: 'u'}, () =>
      answer(persona.keyboard === 'kitty' ? `${esc}[?${this.modes.keyboard.kittyFlags}u` : undefined),
    );
    parser.registerCsiHandler({prefix: '?', final: 'm'}, (params) => {
      const isAsked = persona.keyboard === 'xterm' && numericParam(params, 0) === 4;
      return answer(isAsked ? `${esc}[>4;${this.modes.keyboard.modifyOtherKeys}m` : undefined);
    });
    parser.registerCsiHandler({prefix: '?', intermediates: '$', final: 'p'}, (params) =>
      answer(this.#modeReport(numericParam(params, 0) ?? 0)),
    );
    parser.registerCsiHandler({intermediates: '$', final: 'p'}, (params) =>
      persona.ordersText === true && numericParam(params, 0) === 8 ? answer(`${esc}[8;1$y`) : false,
    );
    parser.registerCsiHandler({prefix: '?', final: 'n'}, (params) => {
      if (numericParam(params, 0) !== 996) return false;
      return answer(persona.reportsColours ? `${esc}[?997;${background === 'dark' ? 1 : 2}n` : undefined);
    });
    parser.registerCsiHandler({final: 't'}, (params) => {
      const size = this.#size(numericParam(params, 0) ?? 0);
      return size === undefined ? false : answer(persona.reportsSize ? size : undefined);
    });
    for (const [code, name] of [
      [10, 'foreground'],
      [11, 'background'],
    ] as const) {
      parser.registerOscHandler(code, (data) => {
        if (data !== '?') return false;
        const value = reportedColour(palettes[background][name]);
        return answer(persona.reportsColours ? `${esc}]${code};rgb:${value}${st}` : undefined);
      });
    }
  }

  #modeReport(mode: number): string | undefined {
    const {modes} = this.#options.persona;
    if (modes.length === 0) return undefined;
    const state = modes.includes(mode) ? (this.modes.has(mode) ? 1 : 2) : 0;
    return `${esc}[?${mode};${state}$y`;
  }

  #size(what: number): string | undefined {
    const {cols, rows} = this.emulator;
    const {width, height} = cellPixels;
    if (what === 14) return `${esc}[4;${rows * height};${cols * width}t`;
    if (what === 16) return `${esc}[6;${height};${width}t`;
    return what === 18 ? `${esc}[8;${rows};${cols}t` : undefined;
  }

  #keepSideEffects(): void {
    const {parser} = this.emulator;
    parser.registerOscHandler(52, (data) => {
      const text = data.slice(data.indexOf(';') + 1);
      if (text === '?') this.clipboardReads++;
      else this.clipboard.push(Buffer.from(text, 'base64').toString('utf8'));
      return true;
    });
    parser.registerOscHandler(8, (data) => {
      const address = data.slice(data.indexOf(';') + 1);
      if (address !== '') this.links.push(address);
      return false;
    });
    for (const code of [9, 99, 777]) {
      parser.registerOscHandler(code, (data) => {
        const [, id = ''] = /(?:^|:)i=([^:;]*)/.exec(data) ?? [];
        if (code !== 99 || !/(?:^|:)p=\?/.test(data)) this.notifications.push(`${code};${data}`);
        else if (this.#options.persona.hasNotifications) {
          this.#options.onAnswer(`${esc}]99;i=${id}:p=?;p=title,body${st}`);
        }
        return true;
      });
    }
  }
}
