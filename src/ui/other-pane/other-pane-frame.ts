import {wrapSpans} from '#content/styled-text/wrap.ts';
import {viewUnreads} from '#state/selectors/unreads/unread-counts.ts';
import {composed} from '#std/composed-text.ts';
import {memoByObject} from '#std/memo.ts';
import type {UiRole} from '#theme/roles.ts';
import {type ComposerState, closedComposer, emptyComposer} from '#ui/composer/composer-state.ts';
import {conversationDrafts} from '#ui/composer/destination.ts';
import {
  type AppInfo,
  type DisplayOptions,
  type Frame,
  type PaneLine,
  shownConversation,
  viewChannelId,
  viewKey,
} from '#ui/core/frame.ts';
import {channelColor, conversationColor, tintedChannelSpans} from '#ui/format/conversation-name.ts';
import {unreadCountSpans} from '#ui/format/unread-count-spans.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {fittedLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {savedViewTitle} from '#ui/search/sidebar-views.ts';
import {setText} from '#ui/text/text-field.ts';
import {plainGlyphText, uiGlyphs} from '#wording/ui-glyphs.ts';
import type {OtherPane} from './other-pane-state.ts';

/**
 * Returns the frame that the pane without the focus is painted from: its view is the view, its rectangle the only area, and
 * no key works there. So every part of the screen paints both panes. Undefined while there is no such pane, or it is hidden.
 */
export const otherPaneFrame = memoByObject((frame: Frame): Frame | undefined => {
  const {screen} = frame;
  const {otherPane} = screen;
  const area = screenLayout(frame).other;
  if (otherPane === undefined || area === undefined) return undefined;
  const {view, timeline, organization} = otherPane;
  const its = organization === undefined ? frame : frame.organizations?.all[organization]?.frame;
  // The account is not open yet, or the organizations are shown separately.
  if (its === undefined) return undefined;
  return {
    ...frame,
    account: its.account,
    fetches: its.fetches,
    display: withImages(frame.display, its.display.images),
    info: withoutKeys(its.info),
    screen: {
      ...its.screen,
      size: screen.size,
      panes: screen.panes,
      overlays: screen.overlays,
      view,
      area,
      focus: 'other',
      otherPane: {...otherPane, view: screen.view, isFirst: !otherPane.isFirst},
      timelines: timeline === undefined ? noTimelines : timelinesOf(timeline, viewKey(view)),
      composer: composerOf(its, otherPane),
      unreadWalk: undefined,
      movedConversation: undefined,
    },
  };
});

/** Each account loads its own images; colours of code are those of the focused one, which is asked for them. */
const withImages = memoByObject(
  (display: DisplayOptions, images: DisplayOptions['images']): DisplayOptions =>
    display.images === images ? display : {...display, images},
);

/** Returns why the pane without the focus shows nothing: its account is not open. */
export function missingPaneText({screen, organizations}: Frame): string | undefined {
  const index = screen.otherPane?.organization;
  if (index === undefined) return undefined;
  if (organizations === undefined) return 'This pane is of another organization, which is shown separately now.';
  const {name, problem, isShown, frame} = organizations.all[index] ?? {};
  if (name === undefined || isShown === true || frame !== undefined) return undefined;
  return problem === undefined ? composed`Opening ${name}…` : composed`${name} could not be opened: ${problem}`;
}

/** Returns the text of a pane whose account is not open, below an empty head. */
export function missingPaneLines(
  text: string | undefined,
  {columns, rows}: Pick<Rect, 'columns' | 'rows'>,
  display: DisplayOptions,
): readonly PaneLine[] {
  const span: UiSpan = {text: plainGlyphText(text ?? '', display), role: 'dim'};
  const head = fittedLine([{text: lineGlyphs[display.glyphs].other.repeat(columns), role: 'separator'}], columns);
  const wrapped = wrapSpans<UiRole>([span], {width: columns, first: [{text: ' ', role: 'text'}]});
  return [head, ...wrapped.map(({spans}) => fittedLine(spans, columns))].slice(0, rows);
}

const noTimelines: Frame['screen']['timelines'] = new Map();
const timelinesOf = memoByObject(
  (timeline: NonNullable<OtherPane['timeline']>, key: string): Frame['screen']['timelines'] =>
    new Map([[key, timeline]]),
);

/** Texts that name a key would name one of the focused pane. */
const withoutKeys = memoByObject((info: AppInfo): AppInfo => ({...info, keys: undefined, owner: info}));

/** Returns the closed composer with the draft of the pane's conversation. */
function composerOf({account, screen}: Frame, {view}: OtherPane): ComposerState {
  const conversation = shownConversation({view});
  if (conversation === undefined) return closedComposer;
  const empty = emptyComposer(closedComposer, conversation);
  const [draft] = conversationDrafts(account, conversation, screen.composer.delayedSend?.draftId);
  return draft === undefined ? empty : {...empty, field: setText(empty.field, draft.content), draftId: draft.id};
}

type PaneHead = ReturnType<typeof paneHead>;

/** Selects what the line above one of two panes says. */
export function paneHead(frame: Frame) {
  const {account, screen, info} = frame;
  const {view} = screen;
  return {
    /** Once there are several, each pane says whose conversation it shows. */
    organization: frame.organizations === undefined ? undefined : info.accountName,
    title: savedViewTitle(frame, view),
    color: conversationColor(account, shownConversation(screen)) ?? channelColor(account, viewChannelId(view)),
    unreads: view.kind === 'messages' ? viewUnreads(account, view.narrow) : undefined,
    isFocused: screen.focus !== 'other',
  };
}

/** The shortest line after the title. */
const minLine = 2;

/** The name of the view in a line. The focused pane has a bar and another line, so that colours are not needed to find it. */
export function paneHeadLine(
  {organization, title, color, unreads, isFocused}: PaneHead,
  {columns}: Pick<Rect, 'columns'>,
  display: DisplayOptions,
): PaneLine {
  const glyphs = uiGlyphs(display);
  const line = lineGlyphs[display.glyphs][isFocused ? 'focused' : 'other'];
  const lineRole = isFocused ? 'cursor_bar' : 'separator';
  const counts = unreads === undefined ? [] : unreadCountSpans(unreads);
  const right: readonly UiSpan[] =
    counts.length === 0
      ? []
      : [{text: ' ', role: 'text'}, ...counts, {text: ' unread', role: counts.at(-1)?.role ?? 'dim'}];
  const named: UiSpan = {text: plainGlyphText(title, display), role: isFocused ? 'header_title' : 'title_idle'};
  const start: UiSpan = {text: isFocused ? glyphs.bar : line, role: lineRole};
  const titled: readonly UiSpan[] = [
    start,
    {text: isFocused ? '' : ' ', role: 'text'},
    {text: organization === undefined ? '' : composed`${organization}  `, role: 'dim'},
    ...tintedChannelSpans([named], color, glyphs),
    {text: ' ', role: 'text'},
  ];
  const after = fittedLine(right, columns);
  const before = fittedLine(titled, Math.max(1, columns - after.width - minLine), glyphs.ellipsis);
  const missing = Math.max(0, columns - before.width - after.width);
  return fittedLine([...before.spans, {text: line.repeat(missing), role: lineRole}, ...after.spans], columns);
}

const lineGlyphs = {
  unicode: {focused: '━', other: '─'},
  ascii: {focused: '=', other: '-'},
  words: {focused: ' ', other: ' '},
} as const;
