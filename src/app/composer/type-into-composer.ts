import {isRefusal} from '#api/failure.ts';
import type {App} from '#app/core/app.ts';
import {changePickerField, openPicker, refreshPicker} from '#app/overlays/picker.ts';
import {failureReason} from '#app/requests/server-request.ts';
import {currentConversation} from '#app/targets/action-target.ts';
import {shortFormOf} from '#content/composer-markdown.ts';
import {providerSegment, startVideoCall, type VideoCallOutcome} from '#state/actions/messages.ts';
import type {DraftTarget} from '#state/model/draft.ts';
import {conversationTitle, userName} from '#state/selectors/names/names.ts';
import {callProblem, videoProviderName} from '#state/selectors/video-calls.ts';
import {errorText} from '#std/error-text.ts';
import {activeField, type PastePrompt} from '#ui/composer/composer-state.ts';
import {destinationTitle, sameTarget, targetConversation} from '#ui/composer/destination.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {changeProblem} from '#ui/core/change-problem.ts';
import type {Picker} from '#ui/core/overlay.ts';
import {withDraftsKey} from '#ui/core/toast-message.ts';
import {messageContext} from '#ui/format/message-context.ts';
import {droppedPaths, fenced, pasteSize, safePastedText} from '#ui/text/paste.ts';
import {emptyLine, insert, insertBlock, moveTo, replaceAll, replaceRange, setText} from '#ui/text/text-field.ts';
import {attachPaths, attachText, openFilePathPicker} from './attach-files.ts';
import {changeActiveField, changeMessageText, setComposer} from './change-composer.ts';
import {openComposer} from './open-composer.ts';

/** Types text into the active field. No letter means anything else here, whatever is offered below the text. */
export function typeIntoComposer(app: App, text: string): void {
  const {composer} = app.screen;
  if (composer.isPreviewed) setComposer(app, {isPreviewed: false});
  const {menu, field: before} = composer;
  // Accepting a channel has written the `>` before its topic: a user who types it, too, means the same one.
  if (text === '>' && menu?.completion.kind === 'topic' && before.text[before.cursor - 1] === '>') return;
  changeActiveField(app, (field) => insert(field, text));
}

export function acceptPastePrompt(app: App, prompt: PastePrompt): void {
  const end = prompt.start + prompt.text.length;
  const block = prompt.kind === 'paste' ? fenced(prompt.text) : '';
  const short = prompt.kind === 'url' ? prompt.short : '';
  changeMessageText(app, (field) => {
    const replaced = replaceRange(field, prompt.start, end, short);
    const {text, cursor} = block === '' ? replaced : insertBlock(replaced, block);
    // One step, so that one undo brings the paste back.
    return moveTo(replaceAll(field, text), cursor);
  });
  if (prompt.kind === 'files') attachPaths(app, prompt.paths);
}

/** Attaches the text just pasted as a file, or else asks for a file. */
export function attachPasteOrFile(app: App): void {
  const {pastePrompt} = app.screen.composer;
  if (pastePrompt?.kind !== 'paste') {
    openFilePathPicker(app);
    return;
  }
  const {start, text} = pastePrompt;
  changeMessageText(app, (field) => replaceRange(field, start, start + text.length, ''));
  attachText(app, text);
}

/**
 * Inserts pasted text; a paste never sends. A large paste, file paths, or a URL that a linkifier shortens also open a prompt
 * about the inserted text.
 */
export function pasteIntoComposer(app: App, text: string): void {
  const {composer} = app.screen;
  const pasted = safePastedText(text);
  if (composer.activePart === 'to' || composer.activePart === 'topic') {
    changeActiveField(app, (field) => insert(field, pasted.replaceAll(/\s+/g, ' ')));
    return;
  }
  const start = composer.field.cursor;
  changeActiveField(app, (field) => insert(field, pasted), 'placed');
  const {lines, isLarge} = pasteSize(pasted);
  const inserted = activeField(app.screen.composer).text.slice(start, start + pasted.length);
  if (inserted !== pasted) return;
  if (isLarge) showPastePrompt(app, {kind: 'paste', start, text: pasted, lines});
  const paths = droppedPaths(pasted, (path) => isFile(app.device, path));
  if (paths !== undefined) showPastePrompt(app, {kind: 'files', start, text: pasted, paths});
  const short = shortFormOf(pasted, messageContext(app.state).linkifiers ?? []);
  if (short !== undefined) showPastePrompt(app, {kind: 'url', start, text: pasted, short});
}

function showPastePrompt(app: App, prompt: PastePrompt): void {
  setComposer(app, {pastePrompt: prompt});
}

function isFile(device: App['device'], path: string): boolean {
  const at = path.lastIndexOf('/');
  const name = path.slice(at + 1);
  try {
    return device.listFiles(path.slice(0, at) || '/').some((file) => file.name === name && !file.isDirectory);
  } catch {
    return false;
  }
}

/** Closes the paste prompt and keeps the text. Returns false when no prompt is open. */
export function dismissPastePrompt(app: App): boolean {
  const {composer} = app.screen;
  if (composer.pastePrompt === undefined) return false;
  setComposer(app, {pastePrompt: undefined});
  return true;
}

type CallKind = 'video' | 'audio';

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
  app.composerPersistence.flush();
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
