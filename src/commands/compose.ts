import type {Message} from '#state/model/message.ts';
import {changeProblem, serverProblem} from '#ui/actions/server-request.ts';
import {moveCompletionMenu} from '#ui/completion-menu/accept-completion.ts';
import {openFilePathPicker} from '#ui/composer/attach-files.ts';
import {moveActivePart, toggleComposerPreview, toggleDestinationFields} from '#ui/composer/change-composer.ts';
import {
  moveDownOrRecall,
  moveUpOrRecall,
  openSentPicker,
  pressEnter,
  pressEscape,
  pressSend,
  pressTab,
} from '#ui/composer/composer-keys.ts';
import {editOrShowSource} from '#ui/composer/edit-message.ts';
import {
  editInExternalEditor,
  openWidgetPicker,
  startCall,
  startCallProblem,
} from '#ui/composer/insert-into-composer.ts';
import {composeProblem, openDestination, saveTextAsDraft} from '#ui/composer/open-composer.ts';
import {
  forward,
  newTopicProblem,
  quote,
  reply,
  replyMentioning,
  replyProblem,
  replyToSenderDirectly,
  startNewDirectMessage,
  startNewTopic,
} from '#ui/composer/reply.ts';
import {openSchedulePicker} from '#ui/composer/schedule-message.ts';
import type {App, AppReader} from '#ui/core/app.ts';
import {confirmResend, editUnsent, unsentToDrafts} from '#ui/drafts-panel/draft-actions.ts';
import {
  deletePanelItems,
  editPanelItem,
  goToPanelItem,
  panelItem,
  sendPanelItem,
} from '#ui/drafts-panel/panel-actions.ts';
import {openVotePicker, widgetIn} from '#ui/message-actions/vote-picker.ts';
import {selectedMessage, selectedOutboxEntry} from '#ui/message-pane/selection.ts';
import {openNarrow} from '#ui/navigation/navigation.ts';
import {openSnippetList} from '#ui/personal/personal-lists.ts';
import type {SendKey} from '#ui/text/send-keys.ts';
import {undoLatest} from '#ui/undo/undo.ts';
import {type Command, command} from './command.ts';
import {messageCommand} from './message-actions.ts';
import {offeredWiderSearch} from './views.ts';

const composerCommand = (id: string, title: string, run: Command['run'], more: Partial<Command> = {}): Command => ({
  id,
  title,
  contexts: ['composer'],
  ...more,
  run,
});

const keyOnly = {isKeyOnly: true} as const;

/** Returns why a command of the composer cannot run; undefined while the composer has the focus. */
export function composerOnly({screen}: AppReader): string | undefined {
  return screen.focus === 'composer' ? undefined : 'Only in the composer: press r, c or x to write';
}

const pressEnterAs =
  (key: SendKey): Command['run'] =>
  (app, press) =>
    pressEnter(app, key, press?.isBurst === true);

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
  composerCommand('compose.close', 'Close composer; keeps a draft', pressEscape, {
    aliases: ['close composer', 'stop writing'],
    ...keyOnly,
    hint: 'close',
    hints: {composer: 1},
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
    (app, press) => moveUpOrRecall(app, press?.isWheel === true),
    keyOnly,
  ),
  composerCommand(
    'compose.down',
    'Line down; newer sent message',
    (app, press) => moveDownOrRecall(app, press?.isWheel === true),
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
  composerCommand('compose.attach', 'Attach file', openFilePathPicker, {
    aliases: ['upload', 'attach', 'file', 'upload file', 'attachment', 'send image'],
    hint: 'attach',
    hints: {composer: 3},
    disabledReason: composerOnly,
  }),
  composerCommand('compose.schedule', 'Schedule message', openSchedulePicker, {
    aliases: ['schedule', 'send later', 'delay'],
    hint: 'schedule',
    hints: {composer: 6},
    disabledReason: (app) => composerOnly(app) ?? serverProblem(app, 'scheduledMessages'),
  }),
  composerCommand(
    'compose.stash',
    'Save draft and start over',
    (app) => {
      if (!saveTextAsDraft(app)) app.toast('Nothing to save yet');
    },
    {aliases: ['save draft', 'stash', 'clear composer'], disabledReason: composerOnly},
  ),
  composerCommand('format.poll', 'Create a poll or to-do list', openWidgetPicker, {
    aliases: ['poll', 'new poll', 'survey', 'todo', 'checklist'],
    disabledReason: composerOnly,
  }),
  composerCommand('menu.next.c', 'Next completion', completionStep(1), keyOnly),
  composerCommand('menu.prev.c', 'Previous completion', completionStep(-1), keyOnly),
];

export const callCommands: readonly Command[] = [
  command('call.video', 'Start video call', (app) => startCall(app, 'video'), {
    aliases: ['video call', 'meeting', 'conference', 'jitsi', 'zoom', 'bigbluebutton', 'webex', 'nextcloud talk'],
    contexts: ['composer', 'nav'],
    disabledReason: (app) => startCallProblem(app, 'video'),
  }),
  command('call.audio', 'Start audio call', (app) => startCall(app, 'audio'), {
    aliases: ['voice call', 'phone call', 'audio only', 'call'],
    contexts: ['composer', 'nav'],
    disabledReason: (app) => startCallProblem(app, 'audio'),
  }),
];

const draftCommand = (id: string, title: string, run: (app: App) => void, more: Partial<Command> = {}): Command => ({
  id,
  title,
  contexts: ['drafts'],
  isAboutRow: true,
  isChange: true,
  ...more,
  disabledReason: (app) => (panelItem(app) === undefined ? 'This list is empty' : composeProblem(app)),
  run,
});

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
  }),
  command('draft.undo', 'Undo', undoLatest, {
    aliases: ['revert', 'take back'],
    contexts: ['drafts'],
    hint: 'undo',
    hints: {drafts: 6, 'drafts reminders': 4},
    hasEffect: ({frame}) => frame.canUndo,
  }),
  command('draft.goto', 'Go to the conversation', goToPanelItem, {
    contexts: ['drafts'],
    hint: 'go there',
    hints: {drafts: 4},
    isAboutRow: true,
    disabledReason: (app) => (panelItem(app) === undefined ? 'This list is empty' : undefined),
  }),
  {
    ...draftCommand(
      'draft.unsend',
      'Cancel sending; keep as a draft',
      (app) => {
        const item = panelItem(app);
        if (item?.kind === 'outbox') unsentToDrafts(app, item.entry);
      },
      {aliases: ['unsend', 'cancel sending']},
    ),
    disabledReason: (app) => (panelItem(app)?.kind === 'outbox' ? undefined : 'Only for messages in the outbox'),
  },
];

/** Enter: votes, searches all public channels after a search without results, or replies. */
function voteSearchOrReply(app: App): void {
  const widget = selectedWidget(app);
  const wider = offeredWiderSearch(app);
  if (widget !== undefined) openVotePicker(app, widget);
  else if (wider !== undefined) openNarrow(app, wider);
  else reply(app);
}

function enterProblem(app: AppReader): string | undefined {
  if (selectedWidget(app) !== undefined) return changeProblem(app);
  return offeredWiderSearch(app) === undefined ? replyProblem(app) : undefined;
}

/** Returns the selected message if it is a poll or a to-do list. */
function selectedWidget(app: AppReader): Message | undefined {
  const message = selectedMessage(app);
  return message !== undefined && widgetIn(message) !== undefined ? message : undefined;
}

export const replyCommands: readonly Command[] = [
  command('msg.enter', 'Vote in poll or tick tasks; reply to other messages', voteSearchOrReply, {
    isChange: true,
    isKeyOnly: true,
    contexts: ['msgs'],
    hint: 'vote',
    hints: {
      'msgs poll': 0,
      'msgs todo': [0, 'tick tasks'],
      'msgs wider': [1, 'search all public channels'],
    },
    opensTextField: true,
    disabledReason: enterProblem,
  }),
  command('reply', 'Reply to message', reply, {
    isChange: true,
    aliases: ['answer', 'respond', 'write'],
    contexts: ['msgs'],
    hint: 'reply',
    hints: {
      msgs: 1,
      'msgs unwritten': [1, 'write first message'],
      'msgs unsent': 4,
    },
    messageMenu: {group: 'reply', position: 1},
    opensTextField: true,
    disabledReason: (app) => replyProblem(app),
  }),
  {
    id: 'unsent.send',
    title: 'Send unsent message again…',
    isChange: true,
    aliases: ['resend', 'retry', 'send now'],
    contexts: ['msgs'],
    hint: 'send again',
    hints: {'msgs unsent': 1},
    disabledReason: (app) =>
      selectedOutboxEntry(app) === undefined ? 'Only for a message that is not sent yet' : composeProblem(app),
    run: (app) => {
      const entry = selectedOutboxEntry(app);
      if (entry !== undefined) confirmResend(app, entry);
    },
  },
  messageCommand('reply.dm', 'Reply in a direct message', replyToSenderDirectly, {
    aliases: ['reply privately', 'private reply', 'dm sender'],
    messageMenu: {group: 'reply', position: 4},
    opensTextField: true,
    isChange: true,
    problem: composeProblem,
  }),
  messageCommand('reply.mention', 'Reply and mention the sender', replyMentioning, {
    aliases: ['mention', 'ping sender'],
    messageMenu: {group: 'reply', position: 3},
    opensTextField: true,
    isChange: true,
    problem: replyProblem,
  }),
  messageCommand('quote', 'Quote and reply', quote, {
    aliases: ['quote message', 'cite'],
    hint: 'quote',
    hints: {msgs: 6},
    messageMenu: {group: 'reply', position: 2},
    opensTextField: true,
    isChange: true,
    problem: replyProblem,
  }),
  messageCommand('forward', 'Forward message', forward, {
    aliases: ['forward', 'share'],
    messageMenu: {group: 'reply', position: 5},
    opensTextField: true,
    isChange: true,
    problem: composeProblem,
  }),
  messageCommand('msg.edit', 'Edit message, or view its source', editOrShowSource, {
    aliases: ['edit', 'change', 'correct', 'fix typo'],
    hint: 'edit',
    hints: {'msgs unsent': 2},
    messageMenu: {group: 'change', position: 1},
    opensTextField: true,
    runOnUnsent: editUnsent,
  }),
];
