import {onTestFinished} from 'vitest';
import type {App} from '#app/core/app.ts';
import {localSettingsFile} from '#cli/screen/persisted-settings.ts';
import {commandTable} from '#commands/command-table.ts';
import {pathsOf} from '#config/paths.ts';
import {directConversation} from '#state/model/conversation.ts';
import type {DraftTarget} from '#state/model/draft.ts';
import {channelNarrow, conversationNarrow, type Narrow, narrowIs, topicNarrow} from '#state/model/narrow.ts';
import type {Session} from '#state/session.ts';
import type {AccountState} from '#state/state.ts';
import {parseKeyName} from '#terminal/input/key.ts';
import {sessionFixture} from '#test/state/session-fixture.ts';
import {type AppFixture, createApp} from '#test/support/create-app.ts';
import {defaultSettings} from '#test/support/default-settings.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {overlayText} from '#test/support/overlay-text.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {unstartedSession} from '#test/support/unstarted-session.ts';
import type {AppInfo, View} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';

function localSettings() {
  const home = scratchDirectory();
  return localSettingsFile({paths: pathsOf({}, home), env: {}, home, settings: defaultSettings});
}

/** A state of the screen whose hints are tried. */
export interface Mode {
  readonly view?: View;
  readonly info?: Partial<AppInfo>;
  readonly isOffline?: boolean;
  /** Brings an app at the view into the mode. */
  readonly enter?: (fixture: AppFixture) => void;
}

/** A key that the screen promises, and what it promises. */
interface ShownHint {
  readonly key: string;
  readonly label: string;
  readonly place: 'status line' | 'overlay' | 'toast';
}

export interface HintWorld {
  readonly state: AccountState;
  readonly channelId: number;
  /** The message of the user. */
  readonly own: number;
}

/** Returns the state of an account on a server, with something in every view; everything is loaded. */
export async function hintWorld(): Promise<HintWorld> {
  const fixture = await sessionFixture();
  const {server, meg, otto, channelId} = fixture;
  const [owner, other] = [server.as(meg), server.as(otto)];
  server.context.db.run('UPDATE user SET role = 100 WHERE id = ?', meg.id);
  const tomorrow = Math.floor(Date.now() / 1000) + 86_400;
  const inTalk = {type: 'stream', to: channelId, topic: 'talk'};
  await other.post('/messages', {...inTalk, content: 'see https://example.com and https://example.org'});
  const own: number = (await owner.post('/messages', {...inTalk, content: 'mine'})).id;
  await other.post('/messages', {...inTalk, content: 'unread'});
  await other.post('/messages', {...inTalk, topic: 'plain', content: 'no addresses'});
  await other.post('/messages', {type: 'direct', to: [meg.id], content: 'lunch?'});
  await owner.post('/scheduled_messages', {...inTalk, content: 'later', scheduled_delivery_timestamp: tomorrow});
  await owner.post('/reminders', {message_id: own, scheduled_delivery_timestamp: tomorrow});
  server.people.channel('elsewhere', [otto]);
  const session = fixture.session();
  session.start();
  await session.ready();
  const narrows: readonly Narrow[] = [
    topicNarrow(channelId, 'talk'),
    topicNarrow(channelId, 'plain'),
    topicNarrow(channelId, 'new'),
    channelNarrow(channelId),
    narrowIs('starred'),
    conversationNarrow(directConversation([otto.id], meg.id)),
  ];
  await Promise.all(narrows.map((narrow) => session.timelines.open(narrow)));
  await session.fetchTopics(channelId);
  return {state: session.cache.state, channelId, own};
}

/** Opens apps over sessions that send nothing. A session is used again as long as its account is unchanged. */
export class ModeOpener {
  readonly #localSettings = localSettings();
  readonly #state: AccountState;
  #last: {readonly session: Session; readonly state: AccountState; readonly clock: ManualClock} | undefined;
  #app: App | undefined;

  constructor({state}: HintWorld) {
    this.#state = state;
    onTestFinished(() => this.#app?.end());
  }

  open({view = {kind: 'inbox'}, info = {}, isOffline = false, enter}: Mode): AppFixture {
    this.#app?.end();
    const {session, clock} = this.#session(isOffline);
    const fixture = createApp({session, clock, size: '160x40', view, info, localSettings: this.#localSettings});
    this.#app = fixture.app;
    fixture.app.frames.paintNow();
    enter?.(fixture);
    fixture.app.frames.paintNow();
    return fixture;
  }

  #session(isOffline: boolean) {
    const known = this.#last;
    const isUsable =
      known?.session.cache.state === known?.state &&
      known?.state.connection.phase === (isOffline ? 'offline' : 'online');
    if (known !== undefined && isUsable) return known;
    const clock = new ManualClock(Date.now());
    const session = unstartedSession(this.#state, clock);
    if (!isOffline) session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
    session.drafts.edit(undefined, {target: this.#draftTarget(), content: 'a draft'});
    this.#last = {session, clock, state: session.cache.state};
    return this.#last;
  }

  #draftTarget(): DraftTarget {
    const [channelId = 0] = this.#state.channels.keys();
    return {kind: 'topic', channelId, topic: 'drafted'};
  }
}

const keyPattern = /^(?:Enter|Tab|Esc|Space|Delete|Backspace|(?:Ctrl|Alt|Shift)-\S+|\^\S|\S)$/u;

/** Returns the keys at the start of a hint such as `Alt-Up Alt-Down move` or `o, n toggle the notices`. */
function hintsIn(text: string, place: ShownHint['place']): readonly ShownHint[] {
  const words = text.trim().split(/ +/);
  const count = words.findIndex((word) => !keyPattern.test(word.replace(/,$/, '')));
  const label = words.slice(count).join(' ');
  const isSequence = count === 2 && (words[0] === 'g' || words[0] === 'Ctrl-X' || words[0] === '^X');
  const keys = words.slice(0, Math.max(0, count)).map((word) => word.replace(/,$/, '').replace(/^\^/, 'Ctrl-'));
  if (isSequence) return [{key: keys.join(' '), label, place}];
  return keys.filter((key) => parseKeyName(key) !== undefined).map((key) => ({key, label, place}));
}

/** Returns the hints of the status line, of the overlay's bottom line and of the toast. */
export function shownHints({frame}: App): readonly ShownHint[] {
  const {keys} = frame.info;
  const inLine = [...(keys?.hints(frame) ?? []), ...(keys?.moreHints(frame) ?? [])];
  const isBoxed = frame.screen.overlays.length > 0;
  const bottom = isBoxed ? (overlayText(frame).at(-1) ?? '') : '';
  const toast = frame.screen.toast?.text.split(' · ').slice(1) ?? [];
  return [
    ...inLine.flatMap(({key, label}) => hintsIn(`${key} ${label}`, 'status line')),
    ...bottom
      .replaceAll(/[╰╯─└┘+]/gu, ' ')
      .split(' · ')
      .flatMap((part) => hintsIn(part, 'overlay')),
    ...toast.flatMap((part) => hintsIn(part, 'toast')),
  ];
}

const ignoredFields: ReadonlySet<string> = new Set(['toast', 'prefix', 'isPrefixShown', 'presences', 'restored']);

function changedFields(before: ScreenState, after: ScreenState): readonly string[] {
  return (Object.keys(after) as (keyof ScreenState)[]).filter(
    (name) => before[name] !== after[name] && !ignoredFields.has(name),
  );
}

/** Presses the keys of a hint and returns what is wrong with it; undefined when it told the truth. */
export function problemOfHint(fixture: AppFixture, {key, label, place}: ShownHint): string | undefined {
  const {app, router, deviceCalls} = fixture;
  const ran: string[] = [];
  const run = router.run.bind(router);
  router.run = (opened, id, press) => {
    ran.push(id);
    run(opened, id, press);
  };
  const before = {screen: app.screen, state: app.state, calls: deviceCalls.length, toast: app.screen.toast?.id};
  fixture.press(...key.split(' '));
  const {toast} = app.screen;
  const isNewToast = toast !== undefined && toast.id !== before.toast;
  if (isNewToast && (toast.tone !== 'plain' || /^(No |Nothing|Only |There )/.test(toast.text)))
    return `refused: ${toast.text}`;
  const [id] = ran;
  const command = id === undefined ? undefined : commandTable.get(id);
  if (place === 'status line' && !isInOverlay(before.screen)) {
    if (command === undefined) return 'runs no command';
    const labels = [command.hint, command.mutedHint, ...Object.values(command.hints ?? {}).flat()];
    if (!labels.includes(label)) return `runs ${command.id}`;
  }
  const changes = changedFields(before.screen, app.screen);
  const hasEffect = changes.length > 0 || app.state !== before.state || deviceCalls.length > before.calls || isNewToast;
  return hasEffect ? undefined : 'changes nothing';
}

function isInOverlay({overlays}: ScreenState): boolean {
  return overlays.length > 0;
}
