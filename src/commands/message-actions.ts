import type {Message} from '#state/model/message.ts';
import {userName} from '#state/selectors/names/names.ts';
import {canSeeEditHistory, canSeeReadReceipts} from '#state/selectors/permissions/people-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import {errorText} from '#std/error-text.ts';
import {changeProblem} from '#ui/actions/server-request.ts';
import {showSource} from '#ui/composer/edit-message.ts';
import type {App, AppReader} from '#ui/core/app.ts';
import {unsentToDrafts} from '#ui/drafts-panel/draft-actions.ts';
import {confirmDelete, deleteProblem, openReportForm, reportProblem} from '#ui/message-actions/delete-and-report.ts';
import {openEditHistory} from '#ui/message-actions/edit-history-card.ts';
import {openReactionPicker, thumbsUp, toggleReaction} from '#ui/message-actions/emoji-picker.ts';
import {fileProblem, linkProblem, openFilePicker, openLinkPicker} from '#ui/message-actions/link-picker.ts';
import {copyMessage, copyText} from '#ui/message-actions/message-content.ts';
import {type MessageMenuEntry, openMessageMenu} from '#ui/message-actions/message-menu.ts';
import {moveProblem, openMovePicker} from '#ui/message-actions/move-messages.ts';
import {openReceipts} from '#ui/message-actions/receipts-card.ts';
import {openReminderPicker, remindProblem} from '#ui/message-actions/reminder-form.ts';
import {toggleCollapsed} from '#ui/message-actions/toggle-collapsed.ts';
import {openVotePicker, widgetIn} from '#ui/message-actions/vote-picker.ts';
import {messageUrl, selectedMessage, selectedOutboxEntry, showInConversation} from '#ui/message-pane/selection.ts';
import {openRuleForm, ruleProblem} from '#ui/rules/rule-form.ts';
import {performUndoable} from '#ui/undo/perform-undoable.ts';
import {type Command, type CommandRunner, type MessageMenuSlot, messageMenuGroups} from './command.ts';
import {activeContexts, keysForCommand} from './keymap.ts';

function openActions(app: App, {senderId, senderName}: Message, runner: CommandRunner): void {
  openMessageMenu(app, {
    title: `Message from ${userName(app.state, senderId, senderName)}`,
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
    aliases: ['rule', 'filter', 'always', 'automatic', 'new rule'],
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

function openInBrowser(app: App, message: Message): void {
  app.device.open(messageUrl(app.state, message)).then(
    (result) => app.toast(result),
    (error: unknown) => app.toast(errorText(error), 'error'),
  );
}

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
  messageCommand('msg.browser', 'Open message in the browser', openInBrowser, {
    aliases: ['web', 'browser'],
    messageMenu: {group: 'open', position: 5},
  }),
  messageCommand('msg.zoom', 'Show message in its conversation', showInConversation, {
    aliases: ['context', 'go to conversation'],
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

interface MessageCommandOptions extends Partial<Omit<Command, 'id' | 'title' | 'contexts' | 'disabledReason' | 'run'>> {
  /** Returns why the command cannot run on this message. */
  readonly problem?: (app: AppReader, message: Message) => string | undefined;
}

/** Returns a command that runs on the selected message. */
export function messageCommand(
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
      if (message === undefined) return noMessageReason(app);
      return (isChange === true ? changeProblem(app) : undefined) ?? problem?.(app, message);
    },
    run: (app) => {
      const message = selectedMessage(app);
      if (message !== undefined) run(app, message);
    },
  };
}

function noMessageReason(app: AppReader): string {
  return selectedOutboxEntry(app) === undefined ? 'No message is selected' : 'This message is not sent yet';
}
