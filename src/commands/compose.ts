import {attachClipboardImage} from '#app/composer/attach-files.ts';
import {
  type ChangeKind,
  changeActiveField,
  changeMessageText,
  moveActivePart,
  moveCompletionMenu,
  toggleComposerPreview,
  toggleDestinationFields,
} from '#app/composer/change-composer.ts';
import {
  editInNormalMode,
  moveRow,
  moveRowOrRecall,
  moveSideways,
  openSentPicker,
  pressEnter,
  pressEscape,
  pressSend,
  pressTab,
} from '#app/composer/composer-keys.ts';
import {cancelDelayedSend} from '#app/composer/deliver-message.ts';
import {editInExternalEditor} from '#app/composer/external-editor.ts';
import {newTopicProblem, startNewDirectMessage, startNewTopic} from '#app/composer/new-conversation.ts';
import {composeProblem, openDestination, saveTextAsDraft} from '#app/composer/open-composer.ts';
import {openSchedulePicker} from '#app/composer/schedule-message.ts';
import {attachPasteOrFile} from '#app/composer/type-into-composer.ts';
import {startCall, startCallProblem} from '#app/composer/video-call.ts';
import {openWidgetPicker} from '#app/composer/widget-picker.ts';
import type {App} from '#app/core/app.ts';
import {
  deletePanelItems,
  editPanelItem,
  goToPanelItem,
  panelItem,
  sendPanelItem,
  unsentToDrafts,
} from '#app/drafts-panel/draft-actions.ts';
import {openSnippetList} from '#app/personal/personal-lists.ts';
import {acceptComposerOffer} from '#app/warnings/accept-offer.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {serverProblem} from '#ui/core/change-problem.ts';
import {type MarkupKind, withMarkup} from '#ui/text/markup.ts';
import {insertEdits, normalEdits} from '#ui/text/normal-mode.ts';
import type {SendKey} from '#ui/text/send-keys.ts';
import {
  backspace,
  deleteForward,
  insert,
  killToEnd,
  killToHome,
  killWord,
  killWordBack,
  moveEnd,
  moveHome,
  moveWordLeft,
  moveWordRight,
  redo,
  type TextField,
  undo,
  yank,
  yankPop,
} from '#ui/text/text-field.ts';
import {type Command, command} from './command.ts';

const composerCommand: typeof command = (id, title, run, more) =>
  command(id, title, run, {contexts: ['composer'], ...more});

const keyOnly = {isKeyOnly: true} as const;

/** Returns why a command of the composer cannot run; undefined while the composer has the focus. */
function composerOnly({screen}: AppReader): string | undefined {
  return screen.focus === 'composer' ? undefined : 'Only in the composer: press r, c or x to write';
}

/** Returns why a command about a new message cannot run. */
function newMessageOnly(app: AppReader): string | undefined {
  const isEdit = app.screen.composer.editing !== undefined;
  return composerOnly(app) ?? (isEdit ? 'Not while editing a message: Enter saves it' : undefined);
}

const pressEnterAs =
  (key: SendKey): Command['run'] =>
  (app, press) =>
    pressEnter(app, key, press?.isBurst === true);

const pressEscapeWith: Command['run'] = (app, _press, {keymap}) => pressEscape(app, keymap.normal.size > 0);

function completionStep(step: 1 | -1): Command['run'] {
  return (app) => {
    if (app.screen.composer.menu === undefined) app.toast('Nothing to complete here');
    else moveCompletionMenu(app, step);
  };
}

export const composeCommands: readonly Command[] = [
  command('compose.topic', 'New topic in this channel', startNewTopic, {
    isChange: true,
    aliases: ['new topic', 'start topic', 'new message', 'write', 'compose', 'post'],
    hint: 'new topic',
    hints: {'msgs unwritten': 2, 'msgs channel': 2, 'msgs empty': 2, 'inbox nothing': 2},
    opensTextField: true,
    disabledReason: newTopicProblem,
  }),
  command('compose.dm', 'New direct message', startNewDirectMessage, {
    isChange: true,
    aliases: ['new message', 'new dm', 'message someone', 'private message'],
    hint: 'direct message',
    hints: {'msgs empty': 3, 'inbox nothing': 3},
    opensTextField: true,
    disabledReason: composeProblem,
  }),
  command('compose.narrow', 'Go to the destination', openDestination, {
    aliases: ['go to recipient', 'narrow to recipient'],
    contexts: ['nav', 'composer'],
  }),
  composerCommand('compose.enter', 'Send or new line, by account setting', pressEnterAs('Enter'), keyOnly),
  composerCommand('compose.enter.other', 'New line or send, the opposite of Enter', pressEnterAs('Alt-Enter'), keyOnly),
  composerCommand('compose.newline', 'New line', pressEnterAs('Ctrl-J'), {
    ...keyOnly,
    aliases: ['line break'],
  }),
  composerCommand('compose.newline.shift', 'New line', pressEnterAs('Shift-Enter'), keyOnly),
  composerCommand('compose.send', 'Send message; closes an empty composer', pressSend, {
    aliases: ['send', 'post', 'submit'],
    hint: 'send',
    disabledReason: composerOnly,
  }),
  composerCommand(
    'compose.tab',
    'Complete, indent or next field',
    (app, press) => pressTab(app, press?.isBurst === true),
    keyOnly,
  ),
  composerCommand('compose.backtab', 'Previous field: text, topic, channel', (app) => moveActivePart(app, -1), keyOnly),
  composerCommand('compose.close', 'Close composer; keeps a draft', pressEscapeWith, {
    aliases: ['close composer', 'stop writing'],
    ...keyOnly,
    contexts: ['composer', 'normal'],
    hint: 'close',
    insertHint: 'normal mode',
    hints: {composer: 1, normal: 2},
  }),
  composerCommand('compose.recipient', 'Change destination', toggleDestinationFields, {
    aliases: ['recipient', 'change channel', 'change topic'],
    hint: 'destination',
    hints: {composer: 2},
    disabledReason: (app) =>
      composerOnly(app) ?? (app.screen.composer.editing === undefined ? undefined : 'Use m on the message to move it'),
  }),
  composerCommand(
    'compose.up',
    'Line up; older sent message; edit last message',
    (app, press) => moveRowOrRecall(app, -1, press?.isWheel === true),
    keyOnly,
  ),
  composerCommand(
    'compose.down',
    'Line down; newer sent message',
    (app, press) => moveRowOrRecall(app, 1, press?.isWheel === true),
    keyOnly,
  ),
  composerCommand('compose.history', 'Search sent messages', openSentPicker, {
    aliases: ['sent messages', 'recall'],
    disabledReason: composerOnly,
  }),
  composerCommand('compose.editor', 'Write in external editor', editInExternalEditor, {
    aliases: ['external editor', 'vim', 'emacs', 'nano'],
    hint: 'editor',
    hints: {composer: 5},
    disabledReason: composerOnly,
  }),
  composerCommand('compose.preview', 'Show / hide preview', toggleComposerPreview, {
    aliases: ['preview', 'rendered'],
    hint: 'preview',
    hints: {composer: 4},
    disabledReason: composerOnly,
  }),
  composerCommand('compose.snippet', 'Insert saved snippet', openSnippetList, {
    aliases: ['snippets', 'template', 'canned response'],
    disabledReason: (app) => composerOnly(app) ?? serverProblem(app, 'savedSnippets'),
  }),
  composerCommand('compose.offer', 'Accept the offer below the text', acceptComposerOffer, {
    aliases: ['code block of the paste', 'shorten the link', 'subscribe them'],
    disabledReason: composerOnly,
  }),
  composerCommand('compose.attach', 'Attach file', attachPasteOrFile, {
    aliases: ['upload', 'attach', 'file', 'upload file', 'attachment', 'send image'],
    hint: 'attach',
    hints: {composer: 3},
    disabledReason: composerOnly,
  }),
  composerCommand('compose.attach.clipboard', 'Attach the image in the clipboard', attachClipboardImage, {
    aliases: ['paste image', 'paste picture', 'screenshot', 'clipboard'],
    disabledReason: composerOnly,
  }),
  composerCommand('compose.schedule', 'Schedule message', openSchedulePicker, {
    aliases: ['schedule', 'send later', 'delay'],
    hint: 'schedule',
    hints: {composer: 6},
    disabledReason: (app) => newMessageOnly(app) ?? serverProblem(app, 'scheduledMessages'),
  }),
  composerCommand(
    'compose.stash',
    'Save draft and start over',
    (app) => {
      if (!saveTextAsDraft(app)) app.toast('Nothing to save yet');
    },
    {aliases: ['save draft', 'stash', 'clear composer'], disabledReason: newMessageOnly},
  ),
  composerCommand('format.poll', 'Create a poll or to-do list', openWidgetPicker, {
    aliases: ['poll', 'new poll', 'survey', 'todo', 'checklist'],
    disabledReason: composerOnly,
  }),
  composerCommand('menu.next.c', 'Next completion', completionStep(1), keyOnly),
  composerCommand('menu.prev.c', 'Previous completion', completionStep(-1), keyOnly),
];

const callCommand = (kind: 'video' | 'audio', aliases: readonly string[]) =>
  command(`call.${kind}`, `Start ${kind} call`, (app) => startCall(app, kind), {
    aliases,
    contexts: ['composer', 'nav'],
    disabledReason: (app) => startCallProblem(app, kind),
  });

export const callCommands: readonly Command[] = [
  callCommand('video', [
    'video call',
    'meeting',
    'conference',
    'jitsi',
    'zoom',
    'bigbluebutton',
    'webex',
    'nextcloud talk',
  ]),
  callCommand('audio', ['voice call', 'phone call', 'audio only', 'call']),
];

const draftCommand: typeof command = (id, title, run, more) => {
  const disabledReason = (app: AppReader) =>
    panelItem(app) === undefined ? 'This list is empty' : composeProblem(app);
  return command(id, title, run, {contexts: ['drafts'], isAboutRow: true, isChange: true, ...more, disabledReason});
};

function unsend(app: App): void {
  const item = panelItem(app);
  if (item?.kind === 'outbox') unsentToDrafts(app, item.entry);
}

export const draftCommands: readonly Command[] = [
  draftCommand('draft.edit', 'Edit draft, scheduled message or reminder', editPanelItem, {
    aliases: ['reschedule'],
    hint: 'edit',
    hints: {drafts: 3, 'drafts reminders': 2},
    opensTextField: true,
  }),
  draftCommand('draft.send', 'Send draft now', sendPanelItem, {
    aliases: ['send draft'],
    hint: 'send',
    hints: {drafts: 2},
  }),
  draftCommand('draft.delete', 'Delete draft', deletePanelItems, {
    aliases: ['remove draft', 'discard'],
    hint: 'delete',
    hints: {drafts: 5, 'drafts reminders': 3},
    actsOnSelection: 'all',
  }),
  command('draft.goto', 'Go to the conversation', goToPanelItem, {
    contexts: ['drafts'],
    hint: 'go there',
    hints: {drafts: 4},
    isAboutRow: true,
    disabledReason: (app) => (panelItem(app) === undefined ? 'This list is empty' : undefined),
  }),
  {
    ...draftCommand('draft.unsend', 'Cancel sending; keep as a draft', unsend, {aliases: ['unsend', 'cancel sending']}),
    disabledReason: (app) => (panelItem(app)?.kind === 'outbox' ? undefined : 'Only for messages in the outbox'),
  },
];

const edit = (id: string, title: string, change: (field: TextField) => TextField, kind: ChangeKind = 'placed') =>
  command(id, title, (app) => void changeActiveField(app, change, kind), {contexts: ['composer'], isKeyOnly: true});

const sideways = (id: string, title: string, step: 1 | -1) =>
  command(id, title, (app) => moveSideways(app, step), {contexts: ['composer'], isKeyOnly: true});

const format = (id: string, title: string, markup: MarkupKind, aliases: readonly string[]) =>
  command(id, title, (app) => changeMessageText(app, (field) => withMarkup(field, markup)), {
    aliases,
    contexts: ['composer'],
    disabledReason: composerOnly,
  });

const normal = {contexts: ['normal'], isKeyOnly: true} as const;

/** The commands of the normal mode of the composer, which the preset vim+ binds to keys. */
const normalModeCommands: readonly Command[] = [
  ...Object.entries(normalEdits).map(([id, [title, change]]) =>
    command(`normal.${id}`, title, (app) => editInNormalMode(app, change, true), normal),
  ),
  ...Object.entries(insertEdits).map(([id, [title, change]]) =>
    command(`normal.${id}`, title, (app) => editInNormalMode(app, change, false), {
      ...normal,
      ...(id === 'insert' && {hint: 'write', hints: {normal: 1}}),
    }),
  ),
  command('normal.down', 'Line down', (app) => moveRow(app, 1), normal),
  command('normal.up', 'Line up', (app) => moveRow(app, -1), normal),
];

/** Undoes typing. In an empty composer it cancels the delayed send of the last message and restores its text. */
function undoEdit(app: App): void {
  const {composer} = app.screen;
  const notSent = composer.field.text === '' ? cancelDelayedSend(app) : undefined;
  if (notSent !== undefined) app.toast(notSent);
  else changeActiveField(app, undo, 'placed');
}

export const textEditCommands: readonly Command[] = [
  edit('edit.home', 'Move to line start', moveHome),
  edit('edit.end', 'Move to line end', moveEnd),
  sideways('edit.left', 'Move left', -1),
  sideways('edit.right', 'Move right', 1),
  edit('edit.word.left', 'Move one word left', moveWordLeft),
  edit('edit.word.right', 'Move one word right', moveWordRight),
  edit('edit.backspace', 'Delete previous character', backspace, 'typed'),
  edit('edit.delete', 'Delete next character', deleteForward, 'typed'),
  edit('edit.kill.word.back', 'Cut previous word', killWordBack, 'typed'),
  edit('edit.kill.word', 'Cut next word', killWord),
  edit('edit.kill.home', 'Cut to line start', killToHome),
  edit('edit.kill.end', 'Cut to line end', killToEnd),
  {...edit('edit.yank', 'Paste the last cut', yank), aliases: ['yank', 'paste']},
  {...edit('edit.yankpop', 'Paste an earlier cut', yankPop), aliases: ['yank', 'paste']},
  {id: 'edit.undo', title: 'Undo typing', contexts: ['composer'], isKeyOnly: true, run: undoEdit},
  edit('edit.redo', 'Redo typing', redo),
  format('format.bold', 'Bold', 'bold', ['strong']),
  format('format.italic', 'Italic', 'italic', ['emphasis']),
  format('format.code', 'Code', 'code', ['code block', 'monospace']),
  format('format.link', 'Insert link', 'link', ['hyperlink', 'url']),
  format('format.quote', 'Quote block', 'quote', ['blockquote']),
  command(
    'format.time',
    'Insert time, shown in each reader’s time zone',
    (app) => void changeActiveField(app, (field) => insert(field, '<time:'), 'typed'),
    {
      aliases: ['timestamp', 'time zone', 'global time'],
      contexts: ['composer'],
      disabledReason: composerOnly,
    },
  ),
  ...normalModeCommands,
];
