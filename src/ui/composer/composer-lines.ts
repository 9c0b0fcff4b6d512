import {wrapSpans} from '#content/styled-text/wrap.ts';
import {canPost} from '#state/selectors/permissions/channel-permissions.ts';
import type {UiRole} from '#theme/roles.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import {paneKey} from '#ui/core/working-keys.ts';
import {plainGlyphText, uiGlyphs} from '#ui/format/ui-glyphs.ts';
import type {CursorPosition, Layout, Rect} from '#ui/layout/layout.ts';
import {fittedLine, leftRightLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {rowSpan, scrolledTopRow} from '#ui/text/text-layout.ts';
import {
  composerColumns,
  composerParts,
  fitComposerParts,
  promptColumns,
  textCursor,
  wantedComposerRows,
} from './composer-parts.ts';
import {destinationTitle, otherDrafts, viewConversation} from './destination.ts';

/** Returns how many rows the composer wants; 0 in views without a conversation. */
export function composerRows(frame: Frame): number {
  const {screen} = frame;
  if (isShownOpen(screen)) return wantedComposerRows(composerParts(frame));
  if (viewConversation(screen.view) === undefined) return 0;
  const reason = closedReason(frame);
  return reason === undefined ? 1 : Math.max(1, reasonLines(reason, composerColumns(frame)).length);
}

/** The composer is also open when it was focused by cycling through the panes. */
export function isShownOpen({composer, focus}: ScreenState): boolean {
  return composer.isOpen || focus === 'composer';
}

const margin: UiSpan = {text: ' '.repeat(promptColumns), role: 'text'};

/**
 * The visible rows of the text. `hasPrompt`: whether the first row of the text is visible: it has the prompt.
 * `hasPlaceholder`: whether it says what to write, because there is no text yet.
 */
type ShownText = ReturnType<typeof shownText>;

/** Selects the rows of the text that are visible in this height. */
export function shownText(frame: Frame, height: number) {
  const {composer, focus} = frame.screen;
  const top = firstRow(frame, height);
  return {
    prompt: promptOf(frame),
    rows: composerParts(frame).layout.rows.slice(top, top + height),
    hasPrompt: top === 0,
    hasPlaceholder: composer.field.text === '' && focus === 'composer',
    display: frame.display,
  };
}

/** Returns the lines of the text. */
export function textLines({prompt, rows, hasPrompt, hasPlaceholder, display}: ShownText, columns: number) {
  if (hasPlaceholder) {
    const text = columns < 60 ? 'Write here' : 'Write here · @ people  # channels  : emoji  / commands';
    const placeholder: UiSpan = {text: plainGlyphText(text, display), role: 'placeholder'};
    return [fittedLine([{text: prompt, role: 'prompt'}, placeholder], columns)];
  }
  return rows.map((row, at): UiLine => {
    const before: UiSpan = hasPrompt && at === 0 ? {text: prompt, role: 'prompt'} : margin;
    return {spans: [before, {...rowSpan(row), role: 'text'}], width: promptColumns + row.columns};
  });
}

/** Selects the rows of the preview that are visible in this height. */
export function shownPreview(frame: Frame, {rows: height}: Pick<Rect, 'rows'>): readonly UiLine[] {
  const {preview = []} = composerParts(frame);
  const top = Math.max(0, Math.min(frame.screen.composer.top, preview.length - height));
  return preview.slice(top, top + height);
}

export function previewLines(shown: readonly UiLine[], {columns}: Pick<Rect, 'columns'>): readonly UiLine[] {
  return shown.map((line) => fittedLine([margin, ...line.spans], columns));
}

function firstRow(frame: Frame, height: number): number {
  return scrolledTopRow(composerParts(frame).layout, textCursor(frame).row, height, frame.screen.composer.top);
}

function promptOf({display}: Frame): string {
  return display.glyphs === 'words' ? '  ' : `${uiGlyphs(display).topic} `;
}

/** What the closed composer says: why writing is not allowed, the draft, or the key that writes. */
export interface ClosedText {
  readonly prompt: string;
  readonly text: string;
  readonly role: 'disabled' | 'text' | 'placeholder';
  /** The mark of a draft at the right. */
  readonly mark: string;
}

/** Selects what the closed composer says. */
export function closedText(frame: Frame): ClosedText {
  const {account, screen, display} = frame;
  const {field, target} = screen.composer;
  const prompt = promptOf(frame);
  const reason = closedReason(frame);
  if (reason !== undefined) return {prompt, text: reason, role: 'disabled', mark: ''};
  const others = otherDrafts(account, screen.composer).length;
  const draftsKey = paneKey(frame, ['view.drafts']);
  const moreText = draftsKey === undefined ? ` · ${others} more` : ` · ${others} more · ${draftsKey}`;
  const more = others > 0 ? plainGlyphText(moreText, display) : '';
  if (field.text.trim() !== '') {
    const sign = display.glyphs === 'words' ? '' : `${uiGlyphs(display).draft} `;
    const mark = `${sign}draft${more}`;
    return {prompt, text: firstLine(field.text), role: 'text', mark};
  }
  const title = plainGlyphText(destinationTitle(account, target), display);
  const key = paneKey(frame, ['reply']);
  const text = key === undefined ? `To ${title}` : `${key} writes to ${title}`;
  return {prompt, text: `${text}${more}`, role: 'placeholder', mark: ''};
}

/** Returns the lines of the closed composer: one, or as many as the reason needs. */
export function closedLines({prompt, text, role, mark}: ClosedText, {columns, rows}: Rect): readonly UiLine[] {
  const first: UiSpan = {text: prompt, role: 'dim'};
  if (role === 'disabled') {
    const lines = reasonLines(text, columns).slice(0, rows);
    return lines.map(({spans}, at) => fittedLine([at === 0 ? first : margin, ...spans], columns));
  }
  const right: readonly UiSpan[] = mark === '' ? [] : [{text: mark, role: 'draft'}];
  return [leftRightLine([first, {text, role}], right, columns)];
}

function reasonLines(reason: string, columns: number): readonly UiLine[] {
  return wrapSpans<UiRole>([{text: reason, role: 'disabled'}], {width: Math.max(1, columns - promptColumns)});
}

function firstLine(text: string): string {
  const [line = '', ...others] = text.trim().split('\n');
  return others.length === 0 ? line : `${line} …`;
}

/** Returns the reason why writing here is not allowed; undefined when it is. */
function closedReason({account, screen, info, minute}: Frame): string | undefined {
  if (info.isReadOnly) return 'This session is read-only: nothing is sent';
  const {target} = screen.composer;
  const permission = target.kind === 'none' ? undefined : canPost(account, target, minute);
  return permission === undefined || permission.ok ? undefined : permission.reason;
}

export function composerCursor(frame: Frame, {composer: rect}: Layout): CursorPosition | undefined {
  const {composer, focus} = frame.screen;
  if (rect === undefined || focus !== 'composer') return undefined;
  if (composer.activePart === 'send' || composer.isPreviewed) return undefined;
  const parts = composerParts(frame);
  const {above, height} = fitComposerParts(parts, rect.rows);
  const at = parts.cursorAbove;
  if (at !== undefined) return {x: rect.x + at.column, y: rect.y + Math.min(at.row, rect.rows - 1)};
  const {row: line, column} = textCursor(frame);
  return {x: rect.x + promptColumns + column, y: rect.y + above.length + line - firstRow(frame, height)};
}
