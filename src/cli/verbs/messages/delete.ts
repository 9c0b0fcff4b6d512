import {withSessionContext} from '#cli/account-access/with-session-context.ts';
import {conversationNeeds, withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {print, printJson, printNotice} from '#cli/io.ts';
import {changeEach} from '#cli/make-change.ts';
import {fetchMessage, messageIds} from '#cli/messages/message-arguments.ts';
import {requirePermission} from '#cli/name-arguments.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import {deleteMessage} from '#state/actions/messages.ts';
import {canDeleteMessage} from '#state/selectors/permissions/message-permissions.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';

/** The data that the permissions for a message require. */
export const messagePermissionNeeds = [...conversationNeeds, 'realm_user_groups'] as const;

export const deleteMessages: VerbRunner<'delete'> = ({values, words}, io, signal) =>
  withState(values, io, signal, {fetch: messagePermissionNeeds, people: 'self'}, (verbContext) =>
    withSessionContext(verbContext, async (context) => {
      const ids = await messageIds(verbContext, words);
      for (const id of ids) {
        const message = await fetchMessage(verbContext, id);
        requirePermission(canDeleteMessage(verbContext.state, message, io.clock.now()));
      }
      await changeEach(
        ids,
        (id) => deleteMessage(context, id),
        (done) => printNotice(io, `${done} of ${countedNoun(ids.length, 'message')} were deleted before this failure:`),
      );
      if (values.json) printJson(io, {deleted: ids});
      else print(io, `Deleted ${countedNoun(ids.length, 'message')}.`);
      return exitCodes.ok;
    }),
  );
