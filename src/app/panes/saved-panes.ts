import {type App, persistValue, readPersistedValue} from '#app/core/app.ts';
import {enterInbox} from '#app/inbox/enter-inbox.ts';
import {loadTimeline, otherPaneHolder} from '#app/navigation/navigation.ts';
import type {Narrow} from '#state/model/narrow.ts';
import {firstUnreadId, unreadCountIn} from '#state/selectors/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {sameArguments} from '#std/memo.ts';
import {isRecord} from '#std/parse-json.ts';
import {channelTabs, draftsTabs, type View, viewKey} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import {newTimelineState, stateForVisit, type TimelineState} from '#ui/message-pane/timeline-state.ts';
import type {OtherPane} from '#ui/other-pane/other-pane-state.ts';
import {changeOtherPane} from './other-pane.ts';

const storageKey = 'panes';
/** A new place in a pane is saved after this time, and at the end. */
const saveDelayMs = 1000;

/** Returns what is kept of two panes for the next start. Without a second one nothing is: a start shows the home view. */
export function savedPanes({screen, state, accounts}: Pick<App, 'screen' | 'state' | 'accounts'>) {
  const {view, otherPane, timelines} = screen;
  if (otherPane === undefined) return undefined;
  const {direction, isFirst, isZoomed} = otherPane;
  return {
    direction,
    isFirst,
    isZoomed,
    focused: savedPane(state, view, timelines.get(viewKey(view))),
    other: savedOther(state, otherPane, accounts),
  };
}

/** A pane of another organization is saved with its name, and without its position, which only that account knows. */
function savedOther(state: AccountState, {view, timeline, organization}: OtherPane, accounts: App['accounts']) {
  if (organization === undefined) return savedPane(state, view, timeline);
  return {view, organization: accounts.list()[organization]?.name};
}

function savedPane(state: AccountState, view: View, timeline: TimelineState | undefined) {
  const {selected, anchor} = timeline ?? newTimelineState;
  // An unsent message may have another id by then.
  if (view.kind !== 'messages' || typeof selected !== 'number') return {view};
  const {narrow} = view;
  const unread = {firstUnread: firstUnreadId(state, narrow), unreadCount: unreadCountIn(state, narrow)};
  return {view, selected, anchor: typeof anchor?.id === 'number' ? anchor : undefined, ...unread};
}

/** The fields of the screen that two panes need. */
type RestoredPanes = Pick<ScreenState, 'view' | 'timelines' | 'otherPane'>;

/**
 * Returns the panes of a saved value; undefined where there was one pane, or the value cannot be read. `organizations`: the names of
 * those that are shown together.
 */
export function restoredPanes(
  saved: unknown,
  {maxMessageId}: Pick<AccountState, 'maxMessageId'>,
  organizations: readonly string[] = [],
): RestoredPanes | undefined {
  if (!isRecord(saved)) return undefined;
  const focused = paneFrom(saved.focused);
  const other = paneFrom(saved.other);
  if (focused === undefined || other === undefined) return undefined;
  const name = isRecord(saved.other) ? saved.other.organization : undefined;
  const organization = typeof name === 'string' ? organizations.indexOf(name) : undefined;
  // An account that is gone, or that is shown separately now.
  if (organization === -1) return undefined;
  const {view, timeline} = focused;
  const own = {back: [], forward: [], focus: 'main', newestKnown: maxMessageId, composer: undefined} as const;
  const direction = saved.direction === 'below' ? 'below' : 'beside';
  const otherPane: OtherPane = {
    ...other,
    ...own,
    organization,
    direction,
    isFirst: saved.isFirst === true,
    isZoomed: saved.isZoomed === true,
  };
  return {view, timelines: new Map(timeline && [[viewKey(view), timeline]]), otherPane};
}

function paneFrom(saved: unknown): Pick<OtherPane, 'view' | 'timeline'> | undefined {
  if (!isRecord(saved) || !isView(saved.view)) return undefined;
  const {view, selected, anchor, firstUnread, unreadCount} = saved;
  if (typeof selected !== 'number') return {view, timeline: undefined};
  const timeline: TimelineState = {
    ...newTimelineState,
    openAt: undefined,
    selected,
    anchor: isTopLine(anchor) ? anchor : undefined,
    firstUnread: typeof firstUnread === 'number' ? firstUnread : undefined,
    unreadCount: typeof unreadCount === 'number' ? unreadCount : 0,
  };
  return {view, timeline};
}

function isTopLine(value: unknown): value is {readonly id: number; readonly skippedLines: number} {
  return isRecord(value) && typeof value.id === 'number' && typeof value.skippedLines === 'number';
}

/** Whether a value that was saved, perhaps by another version, is a view. */
function isView(value: unknown): value is View {
  if (!isRecord(value)) return false;
  switch (value.kind) {
    case 'inbox':
    case 'triage':
    case 'recent':
    case 'directs':
    case 'people':
      return true;
    case 'catchUp':
      return typeof value.since === 'number' && typeof value.upTo === 'number';
    case 'topics':
      return typeof value.channelId === 'number';
    case 'channels':
      return value.tab === undefined || channelTabs.some((tab) => tab === value.tab);
    case 'drafts':
      return draftsTabs.some((tab) => tab === value.tab);
    case 'messages':
      return isNarrow(value.narrow) && (value.query === undefined || typeof value.query === 'string');
    default:
      return false;
  }
}

function isNarrow(value: unknown): value is Narrow {
  const isOperand = (one: unknown) =>
    typeof one === 'string' ||
    typeof one === 'number' ||
    (Array.isArray(one) && one.every((each) => typeof each === 'number' || typeof each === 'string'));
  const isTerm = (term: unknown) => isRecord(term) && typeof term.operator === 'string' && isOperand(term.operand);
  return Array.isArray(value) && value.every(isTerm);
}

/**
 * Shows the panes of the last program run. Without `hasOwnView` also the view of the focused one. Returns whether there were
 * two.
 */
export function restorePanes(app: App, hasOwnView: boolean): boolean {
  const panes = restoredPanes(
    readPersistedValue(app, storageKey, (saved) => saved),
    app.state,
    app.accounts.together?.(app.info.accountName)?.all.map(({name}) => name),
  );
  if (panes === undefined) return false;
  app.set(hasOwnView ? {otherPane: panes.otherPane} : panes);
  return true;
}

/** Loads what the second pane shows of an account, after its start. */
export function openRestoredPane(app: App): void {
  const holder = otherPaneHolder(app);
  const otherPane = holder?.screen.otherPane;
  if (holder === undefined || otherPane === undefined) return;
  const {view} = otherPane;
  if (view.kind !== 'messages') {
    enterInbox(app, view, app.screen.view);
    return;
  }
  const {narrow} = view;
  const unread = {firstUnread: firstUnreadId(app.state, narrow), unreadCount: unreadCountIn(app.state, narrow)};
  const timeline = stateForVisit(otherPane.timeline, {openAt: undefined, ...unread});
  changeOtherPane(holder, {timeline});
  loadTimeline(app, view, timeline);
}

/** Saves two panes for the next start: what they show at once, and where they are shortly after it changed and at the end. */
export function watchPanes(app: App): void {
  const read = () => JSON.stringify(savedPanes(app) ?? null);
  let written = read();
  let last = app.screen;
  let cancel: (() => void) | undefined;
  const save = () => {
    cancel?.();
    cancel = undefined;
    const panes = read();
    if (panes !== written) persistValue(app, storageKey, JSON.parse(panes));
    written = panes;
  };
  app.afterPaint(() => {
    const {screen} = app.frames.paintedFrame;
    const isSame = screen.otherPane === last.otherPane && screen.timelines === last.timelines;
    if (!sameArguments(shownIn(screen), shownIn(last))) save();
    else if (screen.otherPane !== undefined && !isSame) cancel ??= app.clock.after(saveDelayMs, save);
    last = screen;
  });
  app.onEnd(save);
}

function shownIn({view, otherPane: other}: ScreenState): readonly unknown[] {
  return other === undefined ? [] : [view, other.view, other.direction, other.isFirst, other.isZoomed];
}
