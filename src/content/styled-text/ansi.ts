import type {Line, MessageLink, Span, TextRole} from './line.ts';

/** One or more SGR parameters, and those that end exactly what they began: never 0, which would end others' too. */
export interface Sgr {
  readonly open: string;
  readonly close: string;
}

/** How each role looks. A role without an entry looks like what is around it. */
export interface StyleSheet<R extends string = TextRole> {
  readonly roles: Readonly<Partial<Record<R, Sgr>>>;
  readonly bold: Sgr;
  readonly italic: Sgr;
  readonly strike: Sgr;
  /** Paints nothing at all, not even bold. */
  readonly isPlain: boolean;
}

/** For terminals that make links clickable (OSC 8). */
export interface Hyperlinks {
  readonly links: readonly MessageLink[];
  /** Of the organization, for links into it; without a final slash. */
  readonly realmUrl?: string;
  /** Tells the links of this message from those of others: lines of one link light up together. Letters and digits. */
  readonly id: string;
}

/** A line for the terminal. Opens nothing that it does not close, and holds no other control sequences. */
export function ansiLine<R extends string>(
  line: Line<NoInfer<R>>,
  look: StyleSheet<R>,
  hyperlinks?: Hyperlinks,
): string {
  let out = '';
  let style = '';
  let closing = '';
  let target: string | undefined;
  for (const span of line.spans) {
    const sgr = look.isPlain ? plain : sgrOf(span, look);
    const url = hyperlinks === undefined ? undefined : targetOf(span, hyperlinks);
    if (sgr.open !== style || url !== target) {
      out += closing;
      if (url !== target) {
        if (target !== undefined) out += linkEnd;
        if (url !== undefined) out += `\u001b]8;id=${hyperlinks?.id ?? ''}-${span.link ?? 0};${url}\u001b\\`;
        target = url;
      }
      out += sgr.open === '' ? '' : `\u001b[${sgr.open}m`;
      closing = sgr.close === '' ? '' : `\u001b[${sgr.close}m`;
      style = sgr.open;
    }
    out += span.text;
  }
  return out + closing + (target === undefined ? '' : linkEnd);
}

/** What a reader sees of it. */
export function lineToText(line: Line<string>): string {
  return line.spans.map((span) => span.text).join('');
}

const plain: Sgr = {open: '', close: ''};
const linkEnd = '\u001b]8;;\u001b\\';

function sgrOf<R extends string>(span: Span<R>, look: StyleSheet<R>): Sgr {
  const role = look.roles[span.role];
  if (!span.bold && !span.italic && !span.strike) return role ?? plain;
  const parts = [
    role,
    span.bold ? look.bold : undefined,
    span.italic ? look.italic : undefined,
    span.strike ? look.strike : undefined,
  ].filter((part) => part !== undefined && part.open !== '');
  const close = parts.flatMap((part) => part?.close.split(';') ?? []);
  return {open: parts.map((part) => part?.open).join(';'), close: [...new Set(close)].join(';')};
}

/** Longer addresses are cut off by terminals, or not taken for links. */
const longestTarget = 2000;

/** Where a terminal may be sent: the web and mail, in ASCII without anything that could end the sequence. */
function targetOf(span: Span<string>, {links, realmUrl}: Hyperlinks): string | undefined {
  const url = span.link === undefined ? undefined : links[span.link]?.url;
  if (url === undefined) return undefined;
  const full = /^[a-z][a-z0-9+.-]*:/i.test(url)
    ? url
    : realmUrl === undefined
      ? ''
      : `${realmUrl}/${url.replace(/^\//, '')}`;
  if (!/^(?:https?:\/\/|mailto:)/i.test(full)) return undefined;
  const target = full
    .toWellFormed()
    .replaceAll(/[^\u0021-\u007e]/gu, (character) => encodeURIComponent(character));
  return target.length > longestTarget ? undefined : target;
}
