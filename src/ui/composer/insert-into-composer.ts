import {isRefusal} from '#api/failure.ts';
import {providerSegment, startVideoCall, type VideoCallOutcome} from '#state/actions/messages.ts';
import type {DraftTarget} from '#state/model/draft.ts';
import {conversationTitle, userName} from '#state/selectors/names/names.ts';
import {callProblem, videoProviderName} from '#state/selectors/video-calls.ts';
import {errorText} from '#std/error-text.ts';
import {currentConversation} from '#ui/actions/action-target.ts';
import {changeProblem, failureReason} from '#ui/actions/server-request.ts';
import type {App, AppReader} from '#ui/core/app.ts';
import type {Picker} from '#ui/core/overlay.ts';
import {withDraftsKey} from '#ui/core/toast-message.ts';
import {changePickerField, openPicker, refreshPicker} from '#ui/overlays/picker.ts';
import {emptyLine, insert, replaceAll, setText} from '#ui/text/text-field.ts';
import {changeMessageText} from './change-composer.ts';
import {composerSaver} from './composer-saver.ts';
import {destinationTitle, sameTarget, targetConversation} from './destination.ts';
import {openComposer} from './open-composer.ts';

export type CallKind = 'video' | 'audio';

/** Returns the reason why no call can be started here. */
export function startCallProblem(app: AppReader, kind: CallKind): string | undefined {
  const problem = changeProblem(app) ?? callProblem(app.state, kind === 'audio');
  if (problem !== undefined || app.screen.focus === 'composer') return problem;
  return currentConversation(app) === undefined ? 'Open a conversation for the call first' : undefined;
}

/** Starts a call and inserts its link into the message; opens the composer when it is closed. */
export function startCall(app: App, kind: CallKind): void {
  const conversation = currentConversation(app);
  if (app.screen.focus !== 'composer' && conversation !== undefined) openComposer(app, {target: conversation});
  if (app.screen.focus !== 'composer') return;
  const {target} = app.screen.composer;
  const here = targetConversation(target);
  const name = here === undefined ? (app.state.realm.name ?? 'Call') : conversationTitle(app.state, here);
  app.toast(`Starting the ${kind} call…`);
  startVideoCall(app.session.context, {name, audioOnly: kind === 'audio'}).then(
    (outcome) => showOutcome(app, kind, target, outcome),
    (error: unknown) => {
      const reason = callFailureReason(app, error);
      if (reason !== undefined) app.toast(`No call started: ${reason}`, 'error');
    },
  );
}

function callFailureReason(app: App, error: unknown): string | undefined {
  if (!isRefusal(error, 'UNKNOWN_ZOOM_USER')) return failureReason(error);
  const own = app.state.users.get(app.state.self.userId);
  return `Zoom has no account with your email address ${own?.deliveryEmail ?? own?.email ?? ''}.`;
}

function showOutcome(app: App, kind: CallKind, target: DraftTarget, outcome: VideoCallOutcome): void {
  if (outcome.kind === 'connect') {
    openConnectMenu(app, kind, outcome.url);
    return;
  }
  const {composer} = app.screen;
  const isStillHere = composer.isOpen && (composer.target === target || sameTarget(composer.target, target));
  if (!isStillHere) {
    app.device
      .copy(outcome.url)
      .then((text) => app.toast({text: 'You left the message, so the link is copied', hint: text}));
    return;
  }
  changeMessageText(app, (field) => insert(field, `[Join ${kind} call.](${outcome.url}) `));
  app.toast({text: 'Link inserted', hint: 'the call begins when someone opens it'});
}

/** Offers the page on which the user connects their account of the provider. Once that is done, the call can start. */
function openConnectMenu(app: App, kind: CallKind, url: string): void {
  const title = `Connect your ${videoProviderName(app.state) ?? 'video'} account first`;
  // On a low screen the toast covers the title.
  app.toast(title, 'warning');
  openPicker(app, {
    id: 'connect-call',
    title,
    isMenu: true,
    rows: ({account}) => [
      {key: 'open', label: 'Connect in a browser', detail: url, right: 'o'},
      {key: 'copy', label: 'Copy the address', right: 'c'},
      {
        key: 'start',
        label: `Start the ${kind} call`,
        right: 's',
        disabled: account.videoTokens[providerSegment(account)] === true ? undefined : 'Connect your account first',
      },
    ],
    accept: (from, {key}) => {
      if (key === 'start') {
        from.closeOverlay();
        startCall(from, kind);
      } else {
        const task = key === 'copy' ? from.device.copy(url) : from.device.open(url);
        task.then((text) => from.toast(text));
      }
    },
  });
}

const maxQuotedLines = 20;

/** Edits the text in an external editor. On failure the text is unchanged; the result can be undone. */
export function editInExternalEditor(app: App): void {
  composerSaver(app).flush();
  const {target, field, draftId, editing} = app.screen.composer;
  app.device.edit(field.text, heading(app)).then(
    (text) => {
      if (text === undefined) return;
      const {composer} = app.screen;
      const isSame =
        composer.editing?.messageId === editing?.messageId &&
        (composer.draftId === draftId || sameTarget(composer.target, target));
      if (isSame) changeMessageText(app, (now) => replaceAll(now, text));
      else if (app.session.drafts.edit(draftId, {target, content: text}) !== undefined) {
        app.toast(withDraftsKey('Text from the editor saved as a draft'));
      }
    },
    (error: unknown) => {
      app.toast(errorText(error), 'error');
    },
  );
}

/** Comment lines for the editor: the destination, and the message being replied to. */
function heading({state, screen}: App): readonly string[] {
  const {target, anchor, editing} = screen.composer;
  const first = editing === undefined ? `To ${destinationTitle(state, target)}` : 'Editing a message';
  const repliedTo = anchor?.isRepliedTo === true ? state.messages.byId.get(anchor.messageId) : undefined;
  if (repliedTo === undefined) return [first];
  const lines = repliedTo.content.split('\n');
  const more = lines.length > maxQuotedLines ? ['…'] : [];
  return [
    first,
    `${userName(state, repliedTo.senderId, repliedTo.senderName)} wrote:`,
    ...lines.slice(0, maxQuotedLines).map((line) => `  ${line}`),
    ...more,
  ];
}

interface WidgetKind {
  readonly command: '/poll' | '/todo';
  readonly title: string;
  readonly heading: string;
  readonly item: string;
}

const kinds = {
  poll: {command: '/poll', title: 'Poll', heading: 'the question', item: 'an answer'},
  todo: {command: '/todo', title: 'To-do list', heading: 'the title', item: 'a task'},
} as const satisfies Record<string, WidgetKind>;

/** Composes a poll or a to-do list line by line; the result is text that the user can check before sending. */
export function openWidgetPicker(app: App): void {
  if (app.screen.composer.field.text.trim() !== '') {
    app.toast('A poll or to-do list is a separate message: send or save this text first', 'warning');
    return;
  }
  openPicker(app, {
    id: 'widget',
    title: 'Poll or to-do',
    rows: () => [
      {key: 'poll', label: 'Poll', detail: 'a question with options to vote on'},
      {key: 'todo', label: 'To-do list', detail: 'tasks to tick off'},
    ],
    accept: (from, {key}) => {
      from.closeOverlay();
      openPicker(from, linesPicker(key === 'todo' ? kinds.todo : kinds.poll, []));
    },
  });
}

const done = 'done';

/** `lines`: the lines added so far. */
function linesPicker(kind: WidgetKind, lines: readonly string[]): Picker {
  return {
    id: 'widget-lines',
    title: kind.title,
    placeholder: `${kind.heading}, then ${kind.item} each; an empty line ends it`,
    hint: {Enter: 'adds', 'empty Enter': 'finishes'},
    rows: (_frame, query) => {
      const wanted = lines.length === 0 ? kind.heading : kind.item;
      const next =
        query.trim() === ''
          ? {key: done, label: lines.length === 0 ? `Write ${wanted}` : 'Done'}
          : {key: `add ${query.trim()}`, label: `Add “${query.trim()}”`};
      const titles = lines.map((label, at) => ({key: `line ${at}`, label, isTitle: true as const}));
      return [next, ...titles];
    },
    accept: (from, {key}) => {
      if (key === done) {
        if (lines.length === 0) return;
        from.closeOverlay();
        changeMessageText(from, (field) => ({
          ...setText(field, widgetText(kind, lines)),
          changes: field.changes,
        }));
        return;
      }
      refreshPicker(from, 'widget-lines', linesPicker(kind, [...lines, key.slice('add '.length)]));
      changePickerField(from, () => emptyLine);
    },
  };
}

function widgetText({command}: WidgetKind, [heading = '', ...items]: readonly string[]): string {
  return [`${command} ${heading}`, ...items].join('\n');
}
