import {composeProblem} from '#app/composer/open-composer.ts';
import {unknownAccountReason} from '#state/selectors/permissions/permission.ts';
import {selectedOutboxEntry} from '#ui/message-pane/selected-message.ts';
import {channelCommands} from './channels.ts';
import type {Command} from './command.ts';
import {callCommands, composeCommands, draftCommands, textEditCommands} from './compose.ts';
import {conversationCommands, topicCommands} from './conversations.ts';
import {helpCommands} from './help.ts';
import {inboxCommands, listCommands} from './lists.ts';
import {messageActionCommands, messageMarkCommands, replyCommands} from './message-actions.ts';
import {
  formCommands,
  menuCommands,
  messageNavigationCommands,
  movementCommands,
  unreadWalkCommands,
} from './navigation.ts';
import {commandLineCommands, paletteCommands} from './palette.ts';
import {paneCommands, twoPaneCommands} from './panes.ts';
import {administerPeopleCommands, groupCommands, peopleCommands} from './people.ts';
import {connectionCommands, organizationCommands, personalCommands, settingCommands} from './settings.ts';
import {searchCommands, sidebarViewCommands, viewCommands} from './views.ts';

/** All commands. Among equally good matches, the palette lists them in this order. */
export const commandList: readonly Command[] = [
  ...movementCommands,
  ...viewCommands,
  ...conversationCommands,
  ...unreadWalkCommands,
  ...listCommands,
  ...inboxCommands,
  ...paneCommands,
  ...twoPaneCommands,
  ...connectionCommands,
  ...menuCommands,
  ...formCommands,
  ...messageNavigationCommands,
  ...messageMarkCommands,
  ...messageActionCommands,
  ...replyCommands,
  ...composeCommands,
  ...callCommands,
  ...textEditCommands,
  ...helpCommands,
  ...paletteCommands,
  ...commandLineCommands,
  ...searchCommands,
  ...draftCommands,
  ...peopleCommands,
  ...administerPeopleCommands,
  ...channelCommands,
  ...groupCommands,
  ...topicCommands,
  ...sidebarViewCommands,
  ...settingCommands,
  ...personalCommands,
  ...organizationCommands,
].map((command) => withUnknownAccount(withUnsentMessageActions(command)));

/** All commands by id. */
export const commandTable: ReadonlyMap<string, Command> = new Map(commandList.map((command) => [command.id, command]));

/** Returns a command that says so before the account is known: its own reason would be about rights that are not known yet. */
function withUnknownAccount(command: Command): Command {
  const {disabledReason} = command;
  if (disabledReason === undefined) return command;
  return {
    ...command,
    disabledReason: (app) => {
      const reason = disabledReason(app);
      // A read-only session is one whatever the rights are.
      if (reason === undefined || app.info.isReadOnly) return reason;
      return unknownAccountReason(app.state) ?? reason;
    },
  };
}

/** Returns a command that calls `runOnUnsent`, if it has one, while the selected message is not sent yet. */
function withUnsentMessageActions(command: Command): Command {
  const {runOnUnsent, disabledReason, run} = command;
  if (runOnUnsent === undefined) return command;
  return {
    ...command,
    disabledReason: (app) => (selectedOutboxEntry(app) === undefined ? disabledReason?.(app) : composeProblem(app)),
    run: (app, ...press) => {
      const entry = selectedOutboxEntry(app);
      if (entry === undefined) run(app, ...press);
      else runOnUnsent(app, entry);
    },
  };
}
