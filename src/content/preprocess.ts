/** Prepares the source of a message for the block parser. */

import {parseFenceOpener} from './fence.ts';

const listLine = /^ *([*+-]|\d\.) +/;

/** Normalizes line ends, expands tabs, and removes STX and ETX, which delimit the parser's own marks. */
export function normalizeWhitespace(source: string): string {
  let text = source;
  if (/[\u0002\u0003\r]/.test(text)) text = text.replace(/[\u0002\u0003]/g, '').replace(/\r\n?/g, '\n');
  if (text.includes('\t')) text = text.split('\n').map(expandTabs).join('\n');
  return text.includes('\n ') ? text.replace(/(?<=\n) +(?=\n|$)/g, '') : text;
}

function expandTabs(line: string): string {
  const [first = '', ...rest] = line.split('\t');
  return rest.reduce((out, part) => out + ' '.repeat(4 - (Array.from(out).length % 4)) + part, first);
}

/** Puts a blank line before a list that directly follows a line of text or a list of the other kind. */
export function separateHangingLists(lines: readonly string[]): string[] {
  const out: string[] = [];
  const open: {fence: string; isCode: boolean}[] = [];
  let openCode = 0;
  let item = listKind(lines[0] ?? '');
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    out.push(line);
    const opener = parseFenceOpener(line);
    if (opener !== undefined) {
      const last = open.at(-1);
      if (opener.language === undefined && last?.fence === opener.fence) {
        open.pop();
        if (last.isCode) openCode--;
      } else {
        const isCode = !/^quoted?$/.test(opener.language ?? '');
        open.push({fence: opener.fence, isCode});
        if (isCode) openCode++;
      }
    }
    const next = listKind(lines[i + 1] ?? '');
    if (next !== undefined && next !== item && line !== '' && openCode === 0) out.push('');
    item = next;
  }
  return out;
}

function listKind(line: string): 'bullet' | 'number' | undefined {
  const marker = listLine.exec(line)?.[1];
  if (marker === undefined) return undefined;
  return marker.length === 1 ? 'bullet' : 'number';
}
