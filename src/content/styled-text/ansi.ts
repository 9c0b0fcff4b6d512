/** Turns styled lines into text with terminal escape sequences. */

import type {ImageRow, Line, MessageLink, Span, TextRole} from './line.ts';

/** SGR parameters that start a style, and those that end exactly this style. Never 0, which would end every style. */
export interface Sgr {
  readonly open: string;
  readonly close: string;
}

/** The style of each role. A role without an entry has the style of the text around it. */
export interface StyleSheet<R extends string = TextRole> {
  readonly roles: Readonly<Partial<Record<R, Sgr>>>;
  readonly bold: Sgr;
  readonly italic: Sgr;
  readonly strike: Sgr;
  /** Returns the codes of a colour such as `#76ce90`; undefined where the terminal has too few colours. */
  readonly customColor?: (hex: string) => Sgr | undefined;
  /** Returns the codes of readable text in about this colour; undefined where there is none. */
  readonly tint?: (hex: string) => Sgr | undefined;
  /** Whether no styles are written at all, not even bold. */
  readonly isPlain: boolean;
}

/** The data for clickable links (OSC 8), for terminals that support them. */
export interface Hyperlinks {
  readonly links: readonly MessageLink[];
  /** The organization's URL, for relative links; without a final slash. */
  readonly realmUrl?: string;
  /** Distinguishes this message's links from others', so that all lines of one link highlight together. Letters and digits. */
  readonly id: string;
}

/**
 * Returns a line with its escape sequences. Every style and link it starts ends in the line. `imageText` returns
 * what takes the place of the text of an image; it must be as wide and end its styles.
 */
export function ansiLine<R extends string>(
  line: Line<NoInfer<R>>,
  styles: StyleSheet<R>,
  hyperlinks?: Hyperlinks,
  imageText?: (image: ImageRow, text: string) => string,
): string {
  let out = '';
  let style = '';
  let closing = '';
  let target: string | undefined;
  for (const span of line.spans) {
    const sgr = styles.isPlain ? plain : sgrOf(span, styles);
    const url = hyperlinks === undefined ? undefined : linkUrl(span, hyperlinks);
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
    out += span.image === undefined ? span.text : (imageText?.(span.image, span.text) ?? span.text);
  }
  return out + closing + (target === undefined ? '' : linkEnd);
}

/** Returns the text of a line without styles. */
export function lineToText(line: Line<string>): string {
  return line.spans.map((span) => span.text).join('');
}

const plain: Sgr = {open: '', close: ''};
const linkEnd = '\u001b]8;;\u001b\\';

function sgrOf<R extends string>(span: Span<R>, styles: StyleSheet<R>): Sgr {
  const role = (span.color === undefined ? undefined : styles.customColor?.(span.color)) ?? styles.roles[span.role];
  const tint = span.tint === undefined ? undefined : styles.tint?.(span.tint);
  if (!span.bold && !span.italic && !span.strike && tint === undefined) return role ?? plain;
  const parts = [
    role,
    tint,
    span.bold ? styles.bold : undefined,
    span.italic ? styles.italic : undefined,
    span.strike ? styles.strike : undefined,
  ].filter((part) => part !== undefined && part.open !== '');
  const close = parts.flatMap((part) => part?.close.split(';') ?? []);
  return {open: parts.map((part) => part?.open).join(';'), close: [...new Set(close)].join(';')};
}

/** Terminals cut longer URLs off or ignore them. */
const maxUrlLength = 2000;

/** Returns the URL of a span's link: only web and mail, in ASCII, without characters that could end the sequence. */
function linkUrl(span: Span<string>, {links, realmUrl}: Hyperlinks): string | undefined {
  const url = span.link === undefined ? undefined : links[span.link]?.url;
  if (url === undefined) return undefined;
  const full = /^[a-z][a-z0-9+.-]*:/i.test(url)
    ? url
    : realmUrl === undefined
      ? ''
      : `${realmUrl}/${url.replace(/^\//, '')}`;
  if (!/^(?:https?:\/\/|mailto:)/i.test(full)) return undefined;
  const target = full.toWellFormed().replaceAll(/[^\u0021-\u007e]/gu, (character) => encodeURIComponent(character));
  return target.length > maxUrlLength ? undefined : target;
}
