import type {Message} from '#state/model/message.ts';
import {userName} from '#state/selectors/names/names.ts';
import {canSeeEditHistory, canSeeReadReceipts} from '#state/selectors/permissions/organization-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import {showSource} from '#ui/composer/edit-message.ts';
import type {App} from '#ui/core/app.ts';
import {unsentToDrafts} from '#ui/drafts-panel/outbox-actions.ts';
import {confirmDelete, deleteProblem} from '#ui/message-actions/delete-message.ts';
import {openEditHistory} from '#ui/message-actions/edit-history-card.ts';
import {fileProblem, openFilePicker} from '#ui/message-actions/file-picker.ts';
import {linkProblem, openLinkPicker} from '#ui/message-actions/link-picker.ts';
import {type MessageMenuEntry, openMessageMenu} from '#ui/message-actions/message-menu.ts';
import {moveProblem, openMovePicker} from '#ui/message-actions/move-messages.ts';
import {openReactionPicker} from '#ui/message-actions/reaction-picker.ts';
import {openReceipts} from '#ui/message-actions/receipts-card.ts';
import {openReportForm, reportProblem} from '#ui/message-actions/report-message.ts';
import {openReminderPicker, remindProblem} from '#ui/message-actions/set-reminder.ts';
import {selectedMessage} from '#ui/message-pane/selection.ts';
import {type Command, type CommandRunner, type MessageMenuSlot, messageMenuGroups} from './command.ts';
import {activeContexts} from './key-contexts.ts';
import {keysForCommand} from './keymap.ts';
import {messageCommand} from './message-command.ts';

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
  messageCommand('msg.image', 'Open or save attachment', openFilePicker, {
    aliases: ['download file', 'view image', 'picture', 'photo'],
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
  messageCommand('msg.delete', 'Delete message', confirmDelete, {
    aliases: ['delete', 'remove', 'erase'],
    messageMenu: {group: 'change', position: 4},
    problem: deleteProblem,
    isChange: true,
    hints: {'msgs unsent': [3, 'to drafts']},
    runOnUnsent: unsentToDrafts,
  }),
];
