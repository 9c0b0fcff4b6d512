import {renderMessage} from '#content/render/render-message.ts';
import {userName} from '#state/selectors/names/names.ts';
import {memoizeLast, RecentResults, sameArguments} from '#std/memo.ts';
import type {Frame} from '#ui/core/frame.ts';
import {messageContext, renderOptionsOf} from '#ui/format/message-context.ts';
import {layoutOf, maxComposerRows} from '#ui/layout/layout.ts';
import {fittedLine, type UiLine} from '#ui/layout/ui-line.ts';
import {lineWindow} from '#ui/text/line-window.ts';
import {layoutText, positionOf, type TextLayout} from '#ui/text/text-layout.ts';
import type {TextOrder} from '#ui/text/visual-row.ts';
import {nameContext} from '#ui/warnings/references.ts';
import {destinationLines, labelColumns, shownDestination} from './destination-lines.ts';
import {composerNotices, noticeLines} from './notice-lines.ts';

/** Width of the prompt before the text, and of the indentation of the rows below it. */
export const promptColumns = 2;

/**
 * The rows of the open composer: above the text, the text, below the text. `preview`: shown instead of the text.
 * `cursorAbove`: the cursor's row and column in `above`, when the cursor is not in the text.
 */
type ComposerParts = ReturnType<typeof newParts>;

/** Returns the frame's composer parts, computed once per frame: the layout, the pane and the cursor ask for them. */
export const composerParts = memoizeLast((frame: Frame) => newParts(frame, composerColumns(frame)));

/** The composer's width does not depend on its height. */
export function composerColumns({screen}: Frame): number {
  return layoutOf(screen, 1).main.columns;
}

const layouts = new RecentResults<readonly [text: string, columns: number, order: TextOrder], TextLayout>();

/** Lays out the text at this width and reuses the previous layout for unchanged parts. */
function textLayout(text: string, columns: number, order: TextOrder): TextLayout {
  return layouts.get([text, columns, order], sameArguments, (before) =>
    layoutText(text, Math.max(1, columns - promptColumns), before, order),
  );
}

function newParts(frame: Frame, columns: number) {
  const {composer} = frame.screen;
  const {recipients, activePart, field, isPreviewed} = composer;
  const {bidi} = frame.display;
  const destination = shownDestination(frame, columns);
  const notices = composerNotices(frame);
  return {
    destination,
    notices,
    above: destinationLines(destination, columns),
    layout: textLayout(field.text, columns, bidi),
    preview: isPreviewed ? composerPreviewLines(frame, columns - promptColumns) : undefined,
    below: noticeLines(notices, columns),
    cursorAbove:
      recipients === undefined || activePart === 'text' || activePart === 'send'
        ? undefined
        : fieldCursor(
            activePart === 'to' ? 0 : 1,
            activePart === 'to' ? recipients.to : recipients.topic,
            columns,
            bidi,
          ),
  };
}

function fieldCursor(at: number, field: {text: string; cursor: number}, columns: number, order: TextOrder) {
  const {column} = lineWindow(field.text, field.cursor, columns - labelColumns, 0, order);
  return {row: at, column: labelColumns + column};
}

/** The rows needed to show everything. */
export function wantedComposerRows({above, layout, preview, below}: ComposerParts): number {
  return above.length + (preview ?? layout.rows).length + below.length;
}

/**
 * Fits the parts into `rows`. The text has priority, then the destination, then the notices. `height`: rows left for the
 * text, at least one.
 */
export function fitComposerParts({above, below}: Pick<ComposerParts, 'above' | 'below'>, rows: number) {
  const heads = above.slice(0, Math.max(0, rows - 1));
  const tails = below.slice(0, Math.max(0, rows - 1 - heads.length));
  return {above: heads, below: tails, height: Math.max(1, rows - heads.length - tails.length)};
}

/** The layout of the text, and how many of its rows are visible. */
export function textGeometry(frame: Frame): {readonly layout: TextLayout; readonly height: number} {
  const parts = composerParts(frame);
  const rows = Math.min(wantedComposerRows(parts), maxComposerRows(frame.screen.size.rows));
  return {layout: parts.layout, height: fitComposerParts(parts, rows).height};
}

/** The cursor's position in the laid-out text. */
export function textCursor(frame: Frame): {readonly row: number; readonly column: number} {
  const {field} = frame.screen.composer;
  return positionOf(composerParts(frame).layout, field.cursor);
}

/** Renders the message as its readers will see it. */
function composerPreviewLines(frame: Frame, columns: number): readonly UiLine[] {
  const {account, screen} = frame;
  const {text} = screen.composer.field;
  if (text.trim() === '') return [fittedLine([{text: 'Nothing to preview yet.', role: 'placeholder'}], columns)];
  const {userId} = account.self;
  const translateEmoticons = account.settings.translateEmoticons === true;
  const {lines} = renderMessage(
    {
      source: text,
      senderId: userId,
      senderName: userName(account, userId),
      isUnsent: screen.composer.editing === undefined,
    },
    // The server resolves names as they are now.
    {...messageContext(account), ...nameContext(account), followsRenames: false, translateEmoticons},
    {...renderOptionsOf(frame, columns), expanded: true},
  );
  return lines;
}
