import {editOrShowSource, showSource} from '#app/composer/edit-message.ts';
import {composeProblem} from '#app/composer/open-composer.ts';
import {forward, quote, reply, replyMentioning, replyProblem, replyToSenderDirectly} from '#app/composer/reply.ts';
import type {App} from '#app/core/app.ts';
import {copyText} from '#app/core/copy-text.ts';
import {confirmResend, editUnsent, unsentToDrafts} from '#app/drafts-panel/draft-actions.ts';
import {openInBrowser} from '#app/links/open-link.ts';
import {codeProblem, useCodeBlock} from '#app/message-actions/code-blocks.ts';
import {copyMessage} from '#app/message-actions/copy-message.ts';
import {
  confirmDelete,
  deleteProblem,
  openReportForm,
  reportProblem,
  toggleCollapsed,
} from '#app/message-actions/delete-and-report.ts';
import {fileProblem, linkProblem, openFilePicker, openLinkPicker} from '#app/message-actions/link-picker.ts';
import {openEditHistory, openReceipts} from '#app/message-actions/message-cards.ts';
import {moveProblem, openMovePicker} from '#app/message-actions/move-messages.ts';
import {openReactionPicker, thumbsUp, toggleReaction} from '#app/message-actions/reactions.ts';
import {openReminderPicker, remindProblem} from '#app/message-actions/reminders.ts';
import {openVotePicker, widgetIn} from '#app/message-actions/vote-picker.ts';
import {showInConversation} from '#app/message-pane/selection.ts';
import {openNarrow} from '#app/navigation/navigation.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {openRuleForm, ruleProblem} from '#app/rules/rule-form.ts';
import {focusedTextInput, typeIntoFocusedInput} from '#app/text-input.ts';
import {performUndoable} from '#app/undo/perform-undoable.ts';
import type {Message} from '#state/model/message.ts';
import {userName} from '#state/selectors/names/names.ts';
import {canSeeEditHistory, canSeeReadReceipts} from '#state/selectors/permissions/people-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import {composed} from '#std/composed-text.ts';
import type {KeyEvent} from '#terminal/input/input-events.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {changeProblem} from '#ui/core/change-problem.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {messageUrl, selectedMessage, selectedOutboxEntry} from '#ui/message-pane/selected-message.ts';
import {type Command, type CommandRunner, command, type MessageMenuSlot, messageMenuGroups} from './command.ts';
import {activeContexts, keysForCommand, writingCommand} from './keymap.ts';
import {offeredWiderSearch} from './views.ts';

function openActions(app: App, {senderId, senderName}: Message, runner: CommandRunner): void {
  openMessageMenu(app, {
    title: composed`Message from ${userName(app.state, senderId, senderName)}`,
    groups: messageMenuGroups.map((group) => groupEntries(app, group, runner)),
    run: (opened, id) => runner.run(opened, id),
  });
}

function groupEntries(
  app: App,
  group: MessageMenuSlot['group'],
  {commands, keymap}: CommandRunner,
): readonly MessageMenuEntry[] {
  return [...commands.values()]
    .flatMap((command) => (command.messageMenu?.group === group ? [{command, ...command.messageMenu}] : []))
    .sort((a, b) => a.position - b.position)
    .flatMap(({command: {id, title, disabledReason}, isHiddenWhenDisabled}) => {
      const disabled = disabledReason?.(app);
      if (disabled !== undefined && isHiddenWhenDisabled === true) return [];
      const key = keysForCommand(keymap, id, activeContexts(app.screen)).find((name) => name !== 'Enter');
      return [{id, title, key, disabled}];
    });
}

export const messageActionCommands: readonly Command[] = [
  {
    ...messageCommand('msg.actions', 'Message actions', () => {}, {
      aliases: ['message menu', 'more'],
      hint: 'more',
      hints: {msgs: 8},
    }),
    run: (app, _press, runner) => {
      const message = selectedMessage(app);
      if (message !== undefined) openActions(app, message, runner);
    },
  },
  messageCommand('react.picker', 'React with emoji', (app, message) => openReactionPicker(app, message), {
    aliases: ['reaction', 'emoji', 'add reaction'],
    isChange: true,
    hint: 'react',
    hints: {msgs: 5},
    messageMenu: {group: 'react', position: 1},
    opensTextField: true,
  }),
  messageCommand('links.open', 'Open link, topic or person in message', openLinkPicker, {
    aliases: ['links', 'urls', 'follow link'],
    problem: linkProblem,
    hint: 'links',
    hints: {msgs: 7},
    messageMenu: {group: 'open', position: 1},
  }),
  messageCommand('msg.attachment', 'View image, open or save file', openFilePicker, {
    aliases: ['attachment', 'download file', 'picture', 'photo', 'screenshot', 'play video or audio'],
    messageMenu: {group: 'open', position: 2},
    problem: fileProblem,
  }),
  messageCommand('msg.receipts', 'Read receipts', openReceipts, {
    aliases: ['seen by', 'viewed by', 'receipts'],
    messageMenu: {group: 'about', position: 2},
    problem: (app) => refusalReason(canSeeReadReceipts(app.state)),
  }),
  messageCommand('msg.history', 'Edit history', openEditHistory, {
    aliases: ['previous versions', 'revisions', 'edited'],
    messageMenu: {group: 'about', position: 3},
    problem: (app) => refusalReason(canSeeEditHistory(app.state)),
  }),
  messageCommand('msg.report', 'Report to the moderators…', openReportForm, {
    aliases: ['report message', 'abuse', 'spam', 'flag'],
    messageMenu: {group: 'about', position: 9, isHiddenWhenDisabled: true},
    isChange: true,
    problem: reportProblem,
  }),
  messageCommand('msg.source', 'View Markdown source', (app, message) => showSource(app, message), {
    aliases: ['raw', 'source', 'original text'],
    messageMenu: {group: 'open', position: 6},
  }),
  messageCommand(
    'msg.move',
    'Move message or topic',
    (app, message) => {
      if (message.kind === 'channel') openMovePicker(app, message);
    },
    {
      aliases: ['rename topic', 'change topic', 'split topic'],
      messageMenu: {group: 'change', position: 2},
      opensTextField: true,
      problem: moveProblem,
      isChange: true,
    },
  ),
  messageCommand('msg.remind', 'Remind me about message', openReminderPicker, {
    aliases: ['remind', 'later', 'follow up'],
    messageMenu: {group: 'react', position: 5},
    problem: remindProblem,
    isChange: true,
  }),
  messageCommand('msg.rule', 'Always do this for such messages…', openRuleForm, {
    aliases: ['rule', 'rules', 'filter', 'always', 'automatic', 'new rule'],
    messageMenu: {group: 'react', position: 8},
    problem: ruleProblem,
  }),
  messageCommand('msg.delete', 'Delete message', confirmDelete, {
    aliases: ['delete', 'remove', 'erase'],
    messageMenu: {group: 'change', position: 4},
    problem: deleteProblem,
    isChange: true,
    hints: {'msgs unsent': [3, 'to drafts']},
    runOnUnsent: unsentToDrafts,
  }),
];

function toggleStar(app: App, {id}: Message): void {
  const isStarred = app.state.starred.has(id);
  const op = isStarred ? 'remove' : 'add';
  performUndoable(app, {kind: 'flags', op, flag: 'starred', ids: [id]}, isStarred ? 'Unstarred' : 'Starred');
}

const openMessageInBrowser = (app: App, message: Message) => openInBrowser(app, messageUrl(app.state, message));

/** Commands that act on the selected message and stay there: star, react, copy, vote. */
export const messageMarkCommands: readonly Command[] = [
  messageCommand('msg.star', 'Star / unstar message', toggleStar, {
    aliases: ['bookmark', 'save', 'favorite'],
    messageMenu: {group: 'react', position: 4},
  }),
  messageCommand('react.thumb', 'React with thumbs up', (app, message) => toggleReaction(app, message, thumbsUp), {
    aliases: ['like', 'upvote'],
    messageMenu: {group: 'react', position: 2},
  }),
  messageCommand(
    'react.first',
    'Add / remove the first reaction',
    (app, message) => {
      const [first] = message.reactions;
      if (first !== undefined) toggleReaction(app, message, first);
    },
    {
      aliases: ['agree', 'same reaction'],
      problem: (_app, {reactions}) => (reactions.length === 0 ? 'No reactions yet' : undefined),
    },
  ),
  messageCommand('msg.collapse', 'Expand / collapse message', toggleCollapsed, {
    aliases: ['expand', 'show more', 'show less', 'fold'],
    messageMenu: {group: 'about', position: 5},
  }),
  messageCommand(
    'msg.copylink',
    'Copy link to message',
    (app, message) => copyText(app, messageUrl(app.state, message), 'a link to the message'),
    {aliases: ['permalink', 'share link'], messageMenu: {group: 'open', position: 4}},
  ),
  messageCommand('msg.copytext', 'Copy message text; press again for Markdown', copyMessage, {
    aliases: ['copy', 'yank'],
    messageMenu: {group: 'open', position: 3},
  }),
  messageCommand('msg.copycode', 'Copy code block', (app, message) => useCodeBlock(app, message, 'copy'), {
    aliases: ['code', 'snippet', 'yank code', 'copy code'],
    messageMenu: {group: 'open', position: 3.1, isHiddenWhenDisabled: true},
    problem: codeProblem,
  }),
  messageCommand('msg.savecode', 'Save code block to a file', (app, message) => useCodeBlock(app, message, 'save'), {
    aliases: ['download code', 'save snippet', 'save code'],
    messageMenu: {group: 'open', position: 3.2, isHiddenWhenDisabled: true},
    problem: codeProblem,
  }),
  messageCommand('msg.browser', 'Open message in the browser', openMessageInBrowser, {
    aliases: ['web', 'browser'],
    messageMenu: {group: 'open', position: 5},
  }),
  messageCommand('msg.zoom', 'Show message in its conversation', showInConversation, {
    aliases: ['context', 'go to conversation', 'thread', 'open thread'],
    messageMenu: {group: 'about', position: 4},
  }),
  messageCommand('msg.vote', 'Vote in poll or tick tasks', openVotePicker, {
    aliases: ['vote', 'answer poll', 'check task', 'todo'],
    messageMenu: {group: 'react', position: 3, isHiddenWhenDisabled: true},
    isChange: true,
    problem: (_app, message) =>
      widgetIn(message) === undefined ? 'This message has no poll or to-do list' : undefined,
  }),
];

/** Opens the composer and types the key that was pressed. */
function writeFirstLetter(app: App, press: KeyEvent | undefined): void {
  reply(app);
  if (focusedTextInput(app) === 'composer') typeIntoFocusedInput(app, press?.key.text ?? '');
}

interface MessageCommandOptions extends Partial<Omit<Command, 'id' | 'title' | 'contexts' | 'disabledReason' | 'run'>> {
  /** Returns why the command cannot run on this message. */
  readonly problem?: (app: AppReader, message: Message) => string | undefined;
}

/** Returns a command that runs on the selected message. */
function messageCommand(
  id: string,
  title: string,
  run: (app: App, message: Message) => void,
  {problem, isChange, ...more}: MessageCommandOptions = {},
): Command {
  return {
    id,
    title,
    contexts: ['msgs'],
    ...more,
    ...(isChange === true && {isChange}),
    disabledReason: (app) => {
      const message = selectedMessage(app);
      if (message === undefined)
        return selectedOutboxEntry(app) === undefined ? 'No message is selected' : 'This message is not sent yet';
      return (isChange === true ? changeProblem(app) : undefined) ?? problem?.(app, message);
    },
    run: (app) => {
      const message = selectedMessage(app);
      if (message !== undefined) run(app, message);
    },
  };
}

/** Enter: votes, searches all public channels after a search without results, or replies. */
function voteSearchOrReply(app: App): void {
  const widget = selectedWidget(app);
  const wider = offeredWiderSearch(app);
  if (widget !== undefined) openVotePicker(app, widget);
  else if (wider !== undefined) openNarrow(app, wider);
  else reply(app);
}

function resend(app: App): void {
  const entry = selectedOutboxEntry(app);
  if (entry !== undefined) confirmResend(app, entry);
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
  command(writingCommand, 'Start writing with this letter', writeFirstLetter, {
    isChange: true,
    contexts: ['msgs'],
    isKeyOnly: true,
    opensTextField: true,
    disabledReason: (app) => replyProblem(app),
  }),
  command('unsent.send', 'Send unsent message again…', resend, {
    isChange: true,
    aliases: ['resend', 'retry', 'send now'],
    contexts: ['msgs'],
    hint: 'send again',
    hints: {'msgs unsent': 1},
    disabledReason: (app) =>
      selectedOutboxEntry(app) === undefined ? 'Only for a message that is not sent yet' : composeProblem(app),
  }),
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

/** An action on a message, as its command defines it. */
interface MessageMenuEntry {
  readonly id: string;
  readonly title: string;
  readonly key: string | undefined;
  /** Why the action is unavailable now. */
  readonly disabled: string | undefined;
}

interface MessageMenu {
  readonly title: string;
  /** Groups, separated by a line. */
  readonly groups: readonly (readonly MessageMenuEntry[])[];
  readonly run: (app: App, id: string) => void;
}

/** Opens a menu of all message actions. It shows the keys that work without the menu, so that users learn them. */
function openMessageMenu(app: App, {title, groups, run}: MessageMenu): void {
  openPicker(app, {
    id: 'message-actions',
    title,
    isMenu: true,
    columns: 64,
    hint: {'Enter or the shown key': 'runs it', Esc: 'closes'},
    rows: () => menuRows(groups),
    accept: (from, {key}) => {
      from.closeOverlay();
      run(from, key);
    },
  });
}

function menuRows(groups: readonly (readonly MessageMenuEntry[])[]): readonly PickerRow[] {
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, at): readonly PickerRow[] => [
      ...(at === 0 ? [] : [{key: `rule ${at}`, label: '', isTitle: true} as const]),
      ...group.map(({id, title, key, disabled}): PickerRow => ({key: id, label: title, right: key, disabled})),
    ]);
}
