/** The start of a completion, found from the characters before the cursor alone. */
export interface CompletionTrigger {
  readonly kind: 'mention' | 'silent' | 'channel' | 'emoji' | 'time' | 'link';
  readonly start: number;
  /** The text after the sign, without asterisks. */
  readonly query: string;
}

/** The maximum distance between the sign and the cursor. */
const maxLookBack = 100;
/** The characters allowed before a mention; see the message syntax. A channel link may not follow a bracket. */
const beforeMention = /^[\s'"({[/<]$/u;
const beforeChannel = /^[\s'"({/<]$/u;
const beforeEmoji = /^[\s'"({[<>*_~|,.;!?-]$/u;
const url = /\S*:\/\/\S*$/u;

/** Returns the nearest sign before the cursor that starts a completion. Signs inside a URL do not count. */
export function triggerAt(text: string, cursor: number): CompletionTrigger | undefined {
  const lineStart = text.slice(0, cursor).lastIndexOf('\n') + 1;
  const from = Math.max(lineStart, cursor - maxLookBack);
  const line = text.slice(from, cursor);
  return timeOrLink(line, from) ?? nearestSign(line, from, lineStart === from);
}

function timeOrLink(line: string, from: number): CompletionTrigger | undefined {
  const time = /<time:([^<>]*)$/u.exec(line);
  if (time !== null) return {kind: 'time', start: from + time.index, query: time[1] ?? ''};
  const link = /\[\[([^[\]]*)$/u.exec(line);
  return link === null ? undefined : {kind: 'link', start: from + link.index, query: link[1] ?? ''};
}

function nearestSign(line: string, from: number, isLineStart: boolean): CompletionTrigger | undefined {
  for (let at = line.length - 1; at >= 0; at -= 1) {
    const trigger = triggerOfSign(line, at, isLineStart);
    if (trigger === undefined) continue;
    return url.test(line.slice(0, at)) ? undefined : {...trigger, start: from + at};
  }
  return undefined;
}

function triggerOfSign(line: string, at: number, isLineStart: boolean): Omit<CompletionTrigger, 'start'> | undefined {
  const before = at === 0 ? (isLineStart ? ' ' : 'x') : line.charAt(at - 1);
  const rest = line.slice(at + 1);
  switch (line[at]) {
    case '@': {
      const [, silent, query] = /^(_?)\*{0,2}([^*@`]*)$/u.exec(rest) ?? [];
      if (query === undefined || startsBlank(query) || !beforeMention.test(before)) return undefined;
      return {kind: silent === '_' ? 'silent' : 'mention', query};
    }
    case '#': {
      const [, query] = /^\*{0,2}([^*`]*)$/u.exec(rest) ?? [];
      if (query === undefined || startsBlank(query) || !beforeChannel.test(before)) return undefined;
      return {kind: 'channel', query};
    }
    case ':':
      return isEmojiStart(rest) && beforeEmoji.test(before) ? {kind: 'emoji', query: rest} : undefined;
    default:
      return undefined;
  }
}

function startsBlank(query: string): boolean {
  return /^\s/u.test(query);
}

/** Colons are common, so only a name of two letters or an emoticon counts. */
function isEmojiStart(rest: string): boolean {
  return /^[\p{L}\p{N}\p{M}_+-]{2,}$/u.test(rest) || /^[()|/DOoPp]$/.test(rest);
}
