import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import {RecentResults, sameArguments} from '#std/memo.ts';
import type {Key} from '#terminal/input/key.ts';
import type {UiRole} from '#theme/roles.ts';
import {failureReason} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame, PaneLine} from '#ui/core/frame.ts';
import type {Card, CardState} from '#ui/core/overlay.ts';
import {fittedLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {loadFailureText} from '#ui/lists/list-source.ts';
import {plainGlyphText} from '#wording/ui-glyphs.ts';
import type {TextBox} from './overlay-box.ts';
import {overlayLayout} from './overlay-box.ts';

export function openCard(app: App, card: Card): void {
  app.openOverlay({kind: 'card', card, top: 0});
}

/** One column stays free at each side of the text. */
const indent = 1;

/** The lines of the open card: a key that scrolls it does not make them again. */
const recentLines = new RecentResults<readonly unknown[], readonly PaneLine[]>();

/** Returns the lines of a card at the size of the screen, and the index of the first visible one. */
function laidOutCard(frame: Frame, open: CardState) {
  const {columns} = overlayLayout(frame, open, 1);
  const width = Math.max(1, columns - 2 * indent);
  const inputs = [open.card, width, frame.account, frame.display, frame.minute, frame.screen.size];
  const lines = recentLines.get(inputs, sameArguments, () => open.card.lines(frame, width));
  const layout = overlayLayout(frame, open, lines.length);
  return {layout, lines, top: Math.max(0, Math.min(open.top, lines.length - layout.bodyRows))};
}

/** Selects the open card: the lines that are scrolled into view. */
export function cardContent(frame: Frame): TextBox | undefined {
  const open = openedCard(frame);
  if (open === undefined) return undefined;
  const {title, hint} = open.card;
  const {layout, lines, top} = laidOutCard(frame, open);
  const end = Math.min(lines.length, top + layout.bodyRows);
  const shown = {layout, title, lines: lines.slice(top, end), status: []};
  if (lines.length <= layout.bodyRows) return {...shown, position: '', hint};
  return {...shown, position: `${end}/${lines.length}`, hint: {'j k': 'scroll', ...hint}};
}

function openedCard({screen}: Pick<App, 'screen'>): CardState | undefined {
  const top = screen.overlays.at(-1);
  return top?.kind === 'card' ? top : undefined;
}

export function scrollCard(app: App, by: number): void {
  const open = openedCard(app);
  if (open === undefined) return;
  const {layout, lines, top} = laidOutCard(app.frame, open);
  const last = Math.max(0, lines.length - layout.bodyRows);
  app.changeOverlay({...open, top: Math.max(0, Math.min(last, top + by))});
}

/** Handles pager keys. Returns false for other keys. */
export function pressInCard(app: App, {name, ctrl, alt}: Key): boolean {
  const open = openedCard(app);
  if (open === undefined || ctrl === true || alt === true) return false;
  if (name === 'Esc' || name === 'q' || name === 'Enter') {
    app.closeOverlay();
    return true;
  }
  const page = Math.max(1, laidOutCard(app.frame, open).layout.bodyRows - 1);
  const by = stepOf(name, page);
  if (by !== undefined) scrollCard(app, by);
  return by !== undefined;
}

/** The keys that scroll down, and up: by a line, by a page, to the end. */
const [downKeys, upKeys] = [
  [
    ['j', 'Down'],
    ['Space', 'J', 'PageDown'],
    ['G', 'End'],
  ],
  [
    ['k', 'Up'],
    ['K', 'PageUp'],
    ['g', 'Home'],
  ],
] as const;

/** Returns by how many lines a key scrolls a card. */
function stepOf(name: string, page: number): number | undefined {
  const isKey = (keys: readonly string[]) => keys.includes(name);
  const [down, up] = [downKeys.findIndex(isKey), upKeys.findIndex(isKey)];
  const by = [1, page, Number.MAX_SAFE_INTEGER][Math.max(down, up)];
  return by === undefined || down >= 0 ? by : -by;
}

interface LoadingCard<T> extends Omit<Card, 'lines' | 'title' | 'loading' | 'reload'> {
  readonly title: (value: T | undefined) => string;
  /** Called again when the user tries again after a failure. */
  readonly ask: () => Promise<T>;
  readonly lines: (frame: Frame, width: number, value: T) => readonly PaneLine[];
}

/** Opens a card at once and fills it when the request completes. After a failure the card offers to try again. */
export function openLoadingCard<T>(app: App, {ask, title, lines, ...rest}: LoadingCard<T>): void {
  const {promise: loading, resolve} = Promise.withResolvers<void>();
  const waiting: Card = {
    ...rest,
    loading,
    title: title(undefined),
    lines: ({display}, width) => paragraph(plainGlyphText('loading…', display), 'dim', width),
  };
  const load = () => {
    const filled = ask().then(
      (value) =>
        replaceCard(app, waiting, {
          ...waiting,
          title: title(value),
          lines: (frame, width) => lines(frame, width, value),
        }),
      (error: unknown) => showFailure(failureReason(error) ?? ''),
    );
    filled.then(resolve);
  };
  const showFailure = (reason: string) => {
    const failed: Card = {
      ...waiting,
      lines: (frame, width) => paragraph(loadFailureText(frame, 'This', reason), 'error', width),
      reload: () => {
        replaceCard(app, failed, waiting);
        load();
      },
    };
    replaceCard(app, waiting, failed);
  };
  openCard(app, waiting);
  load();
}

/** Replaces an open card, wherever it is in the stack; does nothing when it was closed meanwhile. */
export function replaceCard(app: App, before: Card, after: Card): void {
  app.update((screen) => {
    const at = screen.overlays.findIndex((open) => open.kind === 'card' && open.card === before);
    const open = screen.overlays[at];
    if (open?.kind !== 'card') return screen;
    return {...screen, overlays: screen.overlays.with(at, {...open, card: after})};
  });
}

/** Wraps text; its line breaks are kept. */
export function paragraph(text: string, role: UiRole, width: number): readonly UiLine[] {
  return text.split('\n').flatMap((line) => wrapSpans<UiRole>([{text: sanitizeText(line), role}], {width}));
}

/** Wraps spans. */
export function wrappedLines(spans: readonly UiSpan[], width: number): readonly UiLine[] {
  const safe = spans.map((span) => ({...span, text: sanitizeText(span.text)}));
  return wrapSpans<UiRole>(safe, {width});
}

/** The width of the field names. */
const fieldColumns = 14;

/** Returns a field such as `Local time    14:30`; long values wrap under themselves. */
export function cardFieldLines(name: string, value: readonly UiSpan[], width: number): readonly UiLine[] {
  return cardBlockField(name, wrappedLines(value, fieldValueColumns(width)), width);
}

/** The width of the values in a card. */
export function fieldValueColumns(width: number): number {
  return Math.max(1, width - fieldColumns);
}

/** Returns a field whose value has lines. A name that is too long for its column has its own lines above the value. */
export function cardBlockField(name: string, value: readonly UiLine[], width: number): readonly UiLine[] {
  const label = sanitizeText(name).trim();
  const columns = textColumns(label);
  const isWide = columns >= fieldColumns;
  const lines = value.map((line, at): UiLine => {
    const start: UiSpan =
      at === 0 && !isWide
        ? {text: label + ' '.repeat(fieldColumns - columns), role: 'dim'}
        : {text: ' '.repeat(fieldColumns), role: 'text'};
    return fittedLine([start, ...line.spans], width);
  });
  return isWide ? [...paragraph(label, 'dim', width), ...lines] : lines;
}

export function cardTextField(name: string, value: string, width: number, role: UiRole = 'text'): readonly UiLine[] {
  return value === '' ? [] : cardFieldLines(name, [{text: value, role}], width);
}

/** Returns lines such as `m  Mute`: a key and what it does. */
export function cardKeyLine(key: string, what: string, width: number, state = ''): readonly UiLine[] {
  const about: UiSpan[] = [
    {text: what, role: 'text'},
    {text: state === '' ? '' : `  ${state}`, role: 'dim'},
  ];
  return hangingLines({text: key.padEnd(7), role: 'key'}, about, width);
}

/** Returns a term and the text about it, which wraps under itself. */
export function hangingLines(term: UiSpan, about: readonly UiSpan[], width: number): readonly UiLine[] {
  const indent: UiSpan = {text: ' '.repeat(textColumns(term.text)), role: 'text'};
  return wrapSpans<UiRole>(about, {width, first: [term], rest: [indent]});
}

/** A key of a card, what it does in words, and what it does. */
export type CardKey = readonly [key: string, what: string, run?: (app: App) => void];

/** Runs what a key does, without Ctrl and Alt. Returns false for other keys. */
export function pressCardKey(app: App, {name, ctrl, alt}: Key, keys: readonly CardKey[]): boolean {
  const found = ctrl === true || alt === true ? undefined : keys.find(([key]) => key === name);
  found?.[2]?.(app);
  return found !== undefined;
}

const keyGap = '   ';

/** Puts key hints side by side on as many lines as they need; a hint is never wrapped. */
export function cardKeyLines(keys: readonly CardKey[], width: number): readonly UiLine[] {
  const lines: UiLine[] = [];
  for (const [key, what] of keys) {
    const spans: readonly UiSpan[] = [
      {text: `${key} `, role: 'key'},
      {text: what, role: 'text'},
    ];
    const one = fittedLine(spans, width);
    const last = lines.at(-1);
    if (last === undefined || last.width + keyGap.length + one.width > width) lines.push(one);
    else lines.splice(-1, 1, fittedLine([...last.spans, {text: keyGap, role: 'text'}, ...one.spans], width));
  }
  return lines;
}
