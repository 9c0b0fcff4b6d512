import {otherDrafts} from '#app/compose/conversation-drafts.ts';
import {destinationTitle, viewConversation} from '#app/compose/destination.ts';
import type {Frame} from '#app/core/frame.ts';
import type {PaneLine} from '#app/core/pane-line.ts';
import type {ScreenState} from '#app/core/screen-state.ts';
import {plainGlyphText, uiGlyphs} from '#app/format/ui-glyphs.ts';
import type {CursorPosition, Layout, Rect} from '#app/layout/layout.ts';
import {fittedLine, leftRightLine, type UiLine, type UiSpan} from '#app/layout/ui-line.ts';
import {rowText, scrolledTopRow} from '#app/text/text-layout.ts';
import {canPost} from '#state/selectors/permissions/sending-permissions.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {reuseEqualItems} from '#std/memo.ts';
import {composerParts, fitComposerParts, promptColumns, textCursor, wantedComposerRows} from './composer-parts.ts';

/** Returns how many rows the composer wants; 0 in views without a conversation. */
export function composerRows(frame: Frame): number {
  const {screen} = frame;
  if (isShownOpen(screen)) return wantedComposerRows(composerParts(frame));
  return viewConversation(screen.view) === undefined ? 0 : 1;
}

/** The composer is also open when it was focused by cycling through the panes. */
function isShownOpen({composer, focus}: ScreenState): boolean {
  return composer.isOpen || focus === 'composer';
}

const reuseEqualLines = reuseEqualItems<PaneLine>(deepEqual);

/** Returns the composer's lines. Unchanged lines keep their object identity. */
export function composerLines(frame: Frame, rect: Rect): readonly PaneLine[] {
  const lines = isShownOpen(frame.screen) ? openLines(frame, rect) : [closedLine(frame, rect.columns)];
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

/** The closed composer: one row with a key hint, or with the draft. */
function closedLine(frame: Frame, columns: number): UiLine {
  const {account, screen} = frame;
  const {composer} = screen;
  const prompt: UiSpan = {text: `${uiGlyphs(frame.display).topic} `, role: 'dim'};
  const reason = closedReason(frame);
  if (reason !== undefined) return fittedLine([prompt, {text: reason, role: 'disabled'}], columns);
  const others = otherDrafts(account, composer).length;
  const more = others > 0 ? plainGlyphText(` · ${others} more · d`, frame.display) : '';
  if (composer.field.text.trim() !== '') {
    const mark: UiSpan = {text: `${uiGlyphs(frame.display).draft} draft${more}`, role: 'draft'};
    return leftRightLine([prompt, {text: firstLine(composer.field.text), role: 'text'}], [mark], columns);
  }
  const title = plainGlyphText(destinationTitle(account, composer.target), frame.display);
  return fittedLine([prompt, {text: `r writes to ${title}${more}`, role: 'placeholder'}], columns);
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
