import {
  changedNarrow,
  fetchNarrowMessages,
  flagNarrow,
  type NarrowFlagChange,
  type NarrowMessages,
  narrowFlagInverse,
} from '#state/actions/narrow-flags.ts';
import {channelName} from '#state/selectors/names/names.ts';
import type {App, AppReader} from '#ui/core/app.ts';
import type {MessagesView} from '#ui/core/frame.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';
import type {UndoRecord} from '#ui/core/undo-stack.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {viewTitle} from '#ui/format/view-title.ts';
import {confirmCounted, openPicker} from '#ui/overlays/picker.ts';
import {markReadProblem} from './mute-and-follow.ts';
import {changeProblem, requestFromServer} from './server-request.ts';

interface FlagChoice extends NarrowFlagChange {
  readonly key: string;
  readonly label: string;
  /** Before the number of messages: `Mark 12 messages as read`. */
  readonly text: (count: string) => string;
  readonly done: (count: string) => string;
  readonly nothing: string;
}

const choices: readonly FlagChoice[] = [
  {
    key: 'r',
    op: 'add',
    flag: 'read',
    label: 'Mark all as read',
    text: (count) => `Mark ${count} as read`,
    done: (count) => `Marked ${count} read`,
    nothing: 'Nothing is unread here.',
  },
  {
    key: 'u',
    op: 'remove',
    flag: 'read',
    label: 'Mark all as unread',
    text: (count) => `Mark ${count} as unread`,
    done: (count) => `Marked ${count} unread`,
    nothing: 'Everything is unread here.',
  },
  {
    key: 's',
    op: 'add',
    flag: 'starred',
    label: 'Star all',
    text: (count) => `Star ${count}`,
    done: (count) => `Starred ${count}`,
    nothing: 'Everything is starred here.',
  },
  {
    key: 'x',
    op: 'remove',
    flag: 'starred',
    label: 'Remove all stars',
    text: (count) => `Remove the stars of ${count}`,
    done: (count) => `Removed the stars of ${count}`,
    nothing: 'Nothing is starred here.',
  },
];

/** Undo needs the ids of all changed messages, so more than this are refused. */
const maxMessages = 20_000;

/** Returns why the messages of the view cannot be marked. */
export function flagViewProblem(app: AppReader): string | undefined {
  if (app.screen.view.kind !== 'messages') return 'Open a conversation, a feed or a search first';
  return changeProblem(app);
}

/** Opens the menu that marks all messages of the shown view, on the server: also those that are not loaded. */
export function openFlagMenu(app: App): void {
  const {view} = app.screen;
  if (view.kind !== 'messages') return;
  openPicker(app, {
    id: 'flag view',
    title: `All messages: ${viewTitle(app.frame, view)}`,
    isMenu: true,
    columns: 60,
    rows: () => choices.map(({key, label, flag}) => ({key, label, right: key, disabled: flagProblem(app, flag)})),
    accept: (from, {key}) => {
      from.closeOverlay();
      const choice = choices.find((one) => one.key === key);
      if (choice !== undefined) countAndAsk(from, view, choice);
    },
  });
}

function flagProblem(app: AppReader, flag: FlagChoice['flag']): string | undefined {
  return flag === 'read' ? markReadProblem(app) : undefined;
}

/** Fetches which messages would change, and asks with their number. */
function countAndAsk(app: App, view: MessagesView, choice: FlagChoice): void {
  confirmCounted(app, {
    title: viewTitle(app.frame, view),
    progressText: 'Counting messages…',
    load: () => fetchNarrowMessages(app.session.context, changedNarrow(view.narrow, choice), maxMessages),
    question: (found) => {
      if (found.messages.length === 0) return choice.nothing;
      if (!found.isComplete) return `More than ${maxMessages} messages: narrow the search first.`;
      const yes = choice.text(countedNoun(found.messages.length, 'message'));
      return {yes, onYes: (from) => flagView(from, view, choice, found)};
    },
  });
}

/** Marks the counted messages; later ones are not changed. */
function flagView(app: App, view: MessagesView, choice: FlagChoice, {messages}: NarrowMessages): void {
  const {op, flag, text, done} = choice;
  const total = countedNoun(messages.length, 'message');
  requestFromServer(app, {
    progressText: `${text(total)}…`,
    send: () =>
      flagNarrow(app.session.context, view.narrow, choice, {
        upTo: messages.at(-1)?.id ?? 0,
        onBatch: (count) => app.toast(`${text(total)}: ${count} so far…`),
      }),
    doneText: ({updatedCount = messages.length, ignoredChannelIds}) => {
      const label = `${done(countedNoun(updatedCount, 'message'))}: ${viewTitle(app.frame, view)}`;
      const inverse = narrowFlagInverse({op, flag}, messages);
      const steps = [{kind: 'change', inverse} as const];
      const record: UndoRecord = {label, at: app.clock.now(), keys: [], steps};
      app.undoStack.pushRecord(record);
      return withUndoKey(`${label}${ignoredText(app, ignoredChannelIds)}`);
    },
    failureText: 'Not all messages were changed',
  });
}

/** Messages can be unread only in channels that the user is subscribed to. */
function ignoredText({state}: App, channelIds: readonly number[]): string {
  if (channelIds.length === 0) return '';
  const names = channelIds.map((id) => `#${channelName(state, id)}`);
  return `; not in ${names.join(', ')}: you are not subscribed`;
}
