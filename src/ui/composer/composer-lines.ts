import {renderMessage} from '#content/render/render-message.ts';
import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import {conversationTitle, isResolved, userName} from '#state/selectors/names/names.ts';
import {canPost} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {memoByObject} from '#std/memo.ts';
import type {UiRole} from '#theme/roles.ts';
import {type Frame, frameOwner, memoByFrame, paneKey, shownConversation} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import {messageContext, renderOptionsOf} from '#ui/format/message-context.ts';
import {type CursorPosition, type Layout, layoutOf, maxComposerRows, type Rect} from '#ui/layout/layout.ts';
import {fittedLine, leftRightLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {
  layoutText,
  lineWindow,
  positionOf,
  rowSpan,
  scrolledTopRow,
  type TextLayout,
  type TextOrder,
} from '#ui/text/text-layout.ts';
import {nameContext} from '#ui/warnings/message-references.ts';
import type {Warning, WarningFix} from '#ui/warnings/warning.ts';
import {realmDefaults} from '#wire/objects/realm.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {plainGlyphText, uiGlyphs} from '#wording/ui-glyphs.ts';
import type {ComposerState, PastePrompt} from './composer-state.ts';
import {destinationTitle, otherDrafts} from './destination.ts';
import {destinationLines, labelColumns, shownDestination} from './destination-lines.ts';

/** Width of the prompt before the text, and of the indentation of the rows below it. */
export const promptColumns = 2;

/** Returns how many rows the composer wants; 0 in views without a conversation. */
export function composerRows(frame: Frame): number {
  const {screen} = frame;
  if (isShownOpen(screen)) return wantedComposerRows(composerParts(frame));
  if (shownConversation(screen) === undefined) return 0;
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
  const text = key === undefined ? composed`To ${title}` : composed`${key} writes to ${title}`;
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

/**
 * The rows of the open composer: above the text, the text, below the text. `preview`: shown instead of the text.
 * `cursorAbove`: the cursor's row and column in `above`, when the cursor is not in the text.
 */
type ComposerParts = ReturnType<typeof newParts>;

/** Returns the frame's composer parts, computed once per frame: the layout, the pane and the cursor ask for them. */
export const composerParts = memoByObject((frame: Frame) => newParts(frame, composerColumns(frame)));

/** The composer's width does not depend on its height. */
function composerColumns({screen}: Frame): number {
  return layoutOf(screen, 1).main.columns;
}

const lastLayout = memoByObject((_owner: object): {layout: TextLayout | undefined} => ({layout: undefined}));

/** Lays out the text at this width and reuses the previous layout for unchanged parts. */
const textLayout = memoByFrame(
  (_frame, text: string, columns: number, order: TextOrder) => [text, columns, order],
  (frame, text, columns, order): TextLayout => {
    const last = lastLayout(frameOwner(frame));
    last.layout = layoutText(text, Math.max(1, columns - promptColumns), last.layout, order);
    return last.layout;
  },
);

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
    layout: textLayout(frame, field.text, columns, bidi),
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
function wantedComposerRows({above, layout, preview, below}: ComposerParts): number {
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

/**
 * What the lines below the text are made of. `others`: one line each: prompts, upload progress, delayed send, other drafts.
 */
type ComposerNotices = ReturnType<typeof composerNotices>;

/** Selects what is said below the text. */
function composerNotices(frame: Frame) {
  const {account, screen, display} = frame;
  const {composer} = screen;
  const {warnings, pastePrompt, upload, delayedSend} = composer;
  const notices: (readonly UiSpan[])[] = [];
  const add = (text: string, role: UiSpan['role']) => notices.push([{text: plainGlyphText(text, display), role}]);
  if (warnings.length === 0) for (const text of typingNotices(account, composer)) add(` ${text}`, 'warning');
  if (pastePrompt !== undefined) notices.push(pastePromptSpans(frame, pastePrompt));
  if (upload !== undefined) add(composed` ${upload.name} · ${upload.percent} % uploaded · Ctrl-C cancels`, 'progress');
  if (delayedSend !== undefined) {
    const title = conversationTitle(account, delayedSend.conversation);
    const undo = keyText(frame, 'undoes', ['edit.undo', 'undo']);
    add(composed` Sends to ${title} within ${delayedSend.seconds} s${undo}`, 'pending');
  }
  const drafts = composer.editing === undefined ? otherDrafts(account, composer).length : 0;
  if (drafts > 0) {
    add(
      ` ${drafts} more ${drafts === 1 ? 'draft' : 'drafts'}${keyText(frame, 'lists them', ['view.drafts'])}`,
      'draft',
    );
  }
  const offerKey = paneKey(frame, ['compose.offer']);
  const isEdit = composer.editing !== undefined;
  return {warnings, isEdit, others: notices, ...(offerKey !== undefined && {offerKey})};
}

/** Returns the lines below the text, the warnings first. */
export function noticeLines({warnings, isEdit, others, offerKey}: ComposerNotices, columns: number): readonly UiLine[] {
  const again = isEdit ? ' Enter again to save' : ' Enter again to send';
  return [...warningLines(warnings, columns, offerKey, again), ...others.map((spans) => fittedLine(spans, columns))];
}

function keyText(frame: Frame, label: string, commands: readonly string[]): string {
  const key = paneKey(frame, commands);
  return key === undefined ? '' : ` · ${key} ${label}`;
}

/** Returns what the user should know about the destination while writing, before anything is sent. */
function typingNotices(account: AccountState, {target, recipients, editing}: ComposerState): readonly string[] {
  if (editing !== undefined || target.kind !== 'topic') return [];
  const {maxTopicLength = realmDefaults.max_topic_length} = account.server;
  const length = recipients === undefined ? 0 : Array.from(recipients.topic.text.trim()).length;
  const isCut = recipients?.kind === 'channel' && length > maxTopicLength;
  return [
    ...(isCut ? [`Topic ${length}/${maxTopicLength}: the server cuts the end`] : []),
    ...(isResolved(target.topic) ? ['This topic is resolved'] : []),
  ];
}

const fixTexts: Readonly<Record<WarningFix['kind'], string>> = {
  subscribe: 'subscribes them.',
  unresolve: 'unresolves it.',
  close: 'adds it.',
};

function warningLines(
  warnings: readonly Warning[],
  columns: number,
  offerKey: string | undefined,
  again: string,
): readonly UiLine[] {
  const isBlocked = warnings.some(({isBlocking}) => isBlocking);
  const lines = warnings.flatMap(({text, fix, isBlocking}) => {
    const spans: UiSpan[] = [{text: sanitizeText(text), role: isBlocking ? 'error' : 'warning'}];
    if (fix !== undefined && offerKey !== undefined) {
      spans.push({
        text: ` ${offerKey} ${fixTexts[fix.kind]}`,
        role: 'hint',
      });
    }
    return wrapSpans(spans, {
      width: columns,
      first: [{text: ' ! ', role: isBlocking ? 'error' : 'warning', bold: true}],
      rest: [{text: '   ', role: 'text'}],
    });
  });
  if (lines.length > 0 && !isBlocked) lines.push(fittedLine([{text: again, role: 'hint'}], columns));
  return lines;
}

function pastePromptSpans(frame: Frame, prompt: PastePrompt): readonly UiSpan[] {
  const [question, offer] = pastePromptTexts(prompt);
  const file = prompt.kind === 'paste' ? keyText(frame, 'attaches it as a file', ['compose.attach']) : '';
  return [
    {text: question, role: 'text'},
    {text: plainGlyphText(keyText(frame, offer, ['compose.offer']) + file, frame.display), role: 'hint'},
  ];
}

function pastePromptTexts(prompt: PastePrompt): readonly [question: string, offer: string] {
  switch (prompt.kind) {
    case 'paste':
      return [` ${countedNoun(prompt.lines, 'line')} pasted`, 'makes a code block'];
    case 'files':
      return [` Path of ${fileNames(prompt.paths)}`, 'attaches'];
    case 'url':
      return [composed` The short form is ${sanitizeText(prompt.short)}`, 'shortens'];
  }
}

function fileNames(paths: readonly string[]): string {
  const [first = ''] = paths.map((path) => path.slice(path.lastIndexOf('/') + 1));
  return paths.length === 1 ? first : `${paths.length} files`;
}
