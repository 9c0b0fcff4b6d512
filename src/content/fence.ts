/** Finds fenced blocks with a line scanner and a stack, because quotes and spoilers may contain further fences. */

type FenceOpener = {fence: string; language: string | undefined; header: string | undefined};

const opener = /^(~{3,}|`{3,}) *(?:\{?\.?([\w+,\-./#]+) *([^ ~`][^~`]*)?\}?)?$/;

export function parseFenceOpener(line: string): FenceOpener | undefined {
  const first = line.charCodeAt(0);
  if (first !== 0x60 && first !== 0x7e) return undefined;
  // Neither language nor header may contain a fence character. Checking this first bounds the pattern's backtracking.
  if (/[~`]/.test(line.replace(/^(~{3,}|`{3,})/, ''))) return undefined;
  const match = opener.exec(line);
  const fence = match?.[1];
  if (match === null || fence === undefined) return undefined;
  return {fence, language: match[2], header: match[3]};
}

/** Returns the shortest backtick fence that nothing in `content` can close. */
export function unusedFence(content: string): string {
  let length = 3;
  for (const match of content.matchAll(/^ {0,3}(`{3,})/gm)) length = Math.max(length, (match[1]?.length ?? 0) + 1);
  return '`'.repeat(length);
}

/** Returns the fences that these lines open and do not close, outermost first. Only quotes and spoilers contain others. */
export function openFences(lines: Iterable<string>): string[] {
  const open: {readonly fence: string; readonly nests: boolean}[] = [];
  for (const line of lines) {
    const top = open.at(-1);
    if (top !== undefined && line.trimEnd() === top.fence) open.pop();
    else if (top === undefined || top.nests) {
      const opened = parseFenceOpener(line);
      if (opened === undefined) continue;
      open.push({fence: opened.fence, nests: /^(?:quote|quoted|spoiler)$/i.test(opened.language ?? '')});
    }
  }
  return open.map(({fence}) => fence);
}

/** A block that was taken out of the text; a mark in the text refers to it. */
export type StashedBlock =
  | {kind: 'code'; language: string | undefined; text: string}
  | {kind: 'math'; tex: string}
  | {kind: 'spoiler_open' | 'spoiler_header_end' | 'spoiler_end'};

/** The mark that replaces a stashed block in the text: alone on its line, with blank lines around it. */
export const blockMark = /^\u0002b(\d+)\u0003$/;

type FencedText = {lines: string[]; stash: StashedBlock[]};

type OpenFence = {
  fence: string | undefined;
  kind: 'root' | 'quote' | 'spoiler' | 'math' | 'code';
  lines: string[];
} & Pick<FenceOpener, 'language' | 'header'>;

/** Fences nested deeper than this stay text, because each level of quoting rewrites every line inside it. */
const maxDepth = 12;

/**
 * Replaces the fenced blocks of a text: code and math go to the stash, quotes become `> ` lines, spoilers become three
 * marks around their header and content.
 */
export function extractFences(source: readonly string[], defaultLanguage?: string): FencedText {
  const root: OpenFence = {fence: undefined, kind: 'root', lines: [], language: undefined, header: undefined};
  const stack: OpenFence[] = [root];
  const stash: StashedBlock[] = [];
  const mark = (block: StashedBlock): string => `\u0002b${stash.push(block) - 1}\u0003`;
  const close = (): void => {
    const closed = stack.pop();
    const parent = stack.at(-1);
    if (closed === undefined || parent === undefined || closed.lines.length === 0) return;
    parent.lines.push('');
    for (const line of closedLines(closed, mark)) parent.lines.push(line);
    parent.lines.push('');
  };
  for (const line of source) {
    const top = stack.at(-1) ?? root;
    if (top.fence !== undefined && line.trimEnd() === top.fence) {
      close();
      continue;
    }
    const nests = top.kind !== 'code' && top.kind !== 'math';
    const opened = nests && stack.length <= maxDepth ? parseFenceOpener(line) : undefined;
    if (opened !== undefined) stack.push(newOpenFence(opened, defaultLanguage));
    else top.lines.push(nests ? line : line.trimEnd());
  }
  while (stack.length > 1) close();
  return {lines: root.lines, stash};
}

function newOpenFence(opened: FenceOpener, defaultLanguage: string | undefined): OpenFence {
  const language = (opened.language ?? defaultLanguage)?.toLowerCase() || undefined;
  return {...opened, kind: kindOf(language), language, lines: []};
}

function kindOf(language: string | undefined): OpenFence['kind'] {
  if (language === 'quote' || language === 'quoted') return 'quote';
  return language === 'math' || language === 'spoiler' ? language : 'code';
}

function closedLines(closed: OpenFence, mark: (block: StashedBlock) => string): string[] {
  if (closed.kind === 'quote') return closed.lines.map((line) => `> ${line}`);
  if (closed.kind === 'math') return [mark({kind: 'math', tex: trimNewlines(closed.lines.join('\n'))})];
  if (closed.kind === 'spoiler') {
    const header = closed.header === undefined ? [] : [closed.header, ''];
    const opened = [mark({kind: 'spoiler_open'}), '', ...header, mark({kind: 'spoiler_header_end'}), ''];
    return [...opened, ...closed.lines, '', mark({kind: 'spoiler_end'})];
  }
  const text = trimNewlines(closed.lines.join('\n'));
  return [mark({kind: 'code', language: closed.language, text})];
}

/** Removes newlines at both ends. A pattern such as `\n+$` would take quadratic time on long runs of newlines. */
export function trimNewlines(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === '\n') start++;
  while (end > start && text[end - 1] === '\n') end--;
  return text.slice(start, end);
}
