import type {Duplex} from 'node:stream';
import {printable} from '#std/printable.ts';

const maxLength = 200;

/** Asks questions on a channel without a session: the lines are edited here. */
export class LineDialogue {
  readonly #channel: Duplex;

  constructor(channel: Duplex) {
    this.#channel = channel;
  }

  say(text: string): void {
    this.#channel.write(`${printable(text).replaceAll('\n', '\r\n')}\r\n`);
  }

  /** Resolves with the line that is typed; with undefined after Ctrl-C, Ctrl-D or the end of the channel. */
  ask(question: string): Promise<string | undefined> {
    const channel = this.#channel;
    channel.write(printable(question));
    const {promise, resolve} = Promise.withResolvers<string | undefined>();
    let line = '';
    const decoder = new TextDecoder();
    const end = (answer: string | undefined) => {
      channel.off('data', onData).off('end', onEnd).off('close', onEnd);
      channel.pause();
      if (channel.writable) channel.write('\r\n');
      resolve(answer);
    };
    const onEnd = () => end(undefined);
    const onData = (chunk: Buffer) => {
      const chars = [...decoder.decode(chunk, {stream: true})];
      for (const [at, char] of chars.entries()) {
        if (char === '\u0003' || char === '\u0004') return end(undefined);
        if (char === '\r' || char === '\n') {
          end(line.trim());
          // What was typed ahead answers the next question.
          channel.unshift(chars.slice(at + 1).join(''));
          return undefined;
        }
        if (char === '\u007f' || char === '\b') {
          if (line !== '') channel.write('\b \b');
          line = [...line].slice(0, -1).join('');
        } else if (line.length < maxLength && !/\p{C}/u.test(char)) {
          line += char;
          channel.write(char);
        }
      }
      return undefined;
    };
    channel.on('data', onData).on('end', onEnd).on('close', onEnd);
    channel.resume();
    return promise;
  }
}
