import {wrapSpans} from '#content/styled-text/wrap.ts';
import {canPost} from '#state/selectors/permissions/sending-permissions.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {memoizeLast, reuseEqualItems} from '#std/memo.ts';
import type {UiRole} from '#theme/roles.ts';
import type {Frame} from '#ui/core/frame.ts';
import {paneKey} from '#ui/core/key-offer.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import {plainGlyphText, uiGlyphs} from '#ui/format/ui-glyphs.ts';
import type {CursorPosition, Layout, Rect} from '#ui/layout/layout.ts';
import {fittedLine, leftRightLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {rowText, scrolledTopRow} from '#ui/text/text-layout.ts';
import {
  composerColumns,
  composerParts,
  fitComposerParts,
  promptColumns,
  textCursor,
  wantedComposerRows,
} from './composer-parts.ts';
import {otherDrafts} from './conversation-drafts.ts';
import {destinationTitle, viewConversation} from './destination.ts';

/** Returns how many rows the composer wants; 0 in views without a conversation. */
export function composerRows(frame: Frame): number {
  const {screen} = frame;
  if (isShownOpen(screen)) return wantedComposerRows(composerParts(frame));
  return viewConversation(screen.view) === undefined
    ? 0
    : Math.max(1, reasonLines(frame, composerColumns(frame)).length);
}

/** The composer is also open when it was focused by cycling through the panes. */
function isShownOpen({composer, focus}: ScreenState): boolean {
  return composer.isOpen || focus === 'composer';
}

const reuseEqualLines = reuseEqualItems<PaneLine>(deepEqual);

/** Returns the composer's lines. Unchanged lines keep their object identity. */
export function composerLines(frame: Frame, rect: Rect): readonly PaneLine[] {
  const lines = isShownOpen(frame.screen) ? openLines(frame, rect) : closedLines(frame, rect);
  return reuseEqualLines(lines);
}

function openLines(frame: Frame, {columns, rows}: Rect): readonly UiLine[] {
  const parts = composerParts(frame);
  const {above, below, height} = fitComposerParts(parts, rows);
  const previewTop = Math.max(0, Math.min(frame.screen.composer.top, (parts.preview?.length ?? 0) - height));
  const body =
    parts.preview === undefined
      ? textLines(frame, height, columns)
      : parts.preview
          .slice(previewTop, previewTop + height)
          .map((line) => fittedLine([margin, ...line.spans], columns));
  return [...above, ...body, ...below].slice(0, rows);
}

const margin: UiSpan = {text: ' '.repeat(promptColumns), role: 'text'};

function textLines(frame: Frame, height: number, columns: number): readonly UiLine[] {
  const {composer, focus} = frame.screen;
  const {layout} = composerParts(frame);
  const prompt: UiSpan = {text: `${uiGlyphs(frame.display).topic} `, role: 'prompt'};
  if (composer.field.text === '') {
    const placeholder = columns < 60 ? 'Write here' : 'Write here · @ people  # channels  : emoji  / commands';
    const hint: UiSpan = {
      text: focus === 'composer' ? plainGlyphText(placeholder, frame.display) : '',
      role: 'placeholder',
    };
    return [fittedLine([prompt, hint], columns)];
  }
  const top = firstRow(frame, height);
  return layout.rows.slice(top, top + height).map((text, at) => {
    const before = top + at === 0 ? prompt : margin;
    return {
      spans: [before, {text: rowText(text), role: 'text'}],
      width: promptColumns + text.columns,
    };
  });
}

function firstRow(frame: Frame, height: number): number {
  return scrolledTopRow(composerParts(frame).layout, textCursor(frame).row, height, frame.screen.composer.top);
}

/** The closed composer: the reason why writing is not allowed, or one row with a key hint or with the draft. */
function closedLines(frame: Frame, {columns, rows}: Rect): readonly UiLine[] {
  const reason = reasonLines(frame, columns);
  if (reason.length === 0) return [closedLine(frame, columns)];
  return reason
    .slice(0, rows)
    .map(({spans}, at) => fittedLine([at === 0 ? dimPrompt(frame) : margin, ...spans], columns));
}

function dimPrompt({display}: Frame): UiSpan {
  return {text: `${uiGlyphs(display).topic} `, role: 'dim'};
}

function reasonLines(frame: Frame, columns: number): readonly UiLine[] {
  const reason = closedReason(frame);
  const width = Math.max(1, columns - promptColumns);
  return reason === undefined ? [] : wrapSpans<UiRole>([{text: reason, role: 'disabled'}], {width});
}

function closedLine(frame: Frame, columns: number): UiLine {
  const {account, screen} = frame;
  const {composer} = screen;
  const others = otherDrafts(account, composer).length;
  const draftsKey = paneKey(frame, ['view.drafts']);
  const moreText = draftsKey === undefined ? ` · ${others} more` : ` · ${others} more · ${draftsKey}`;
  const more = others > 0 ? plainGlyphText(moreText, frame.display) : '';
  if (composer.field.text.trim() !== '') {
    const mark: UiSpan = {text: `${uiGlyphs(frame.display).draft} draft${more}`, role: 'draft'};
    return leftRightLine([dimPrompt(frame), {text: firstLine(composer.field.text), role: 'text'}], [mark], columns);
  }
  const title = plainGlyphText(destinationTitle(account, composer.target), frame.display);
  const key = paneKey(frame, ['reply']);
  const text = key === undefined ? `To ${title}` : `${key} writes to ${title}`;
  return fittedLine([dimPrompt(frame), {text: `${text}${more}`, role: 'placeholder'}], columns);
}

function firstLine(text: string): string {
  const [line = '', ...others] = text.trim().split('\n');
  return others.length === 0 ? line : `${line} …`;
}

/** Returns the reason why writing here is not allowed; undefined when it is. */
const closedReason = memoizeLast(({account, screen, info, minute}: Frame): string | undefined => {
  if (info.isReadOnly) return 'This session is read-only: nothing is sent';
  const {target} = screen.composer;
  const permission = target.kind === 'none' ? undefined : canPost(account, target, minute);
  return permission === undefined || permission.ok ? undefined : permission.reason;
});

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
