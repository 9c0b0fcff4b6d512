import {withApi} from '#cli/account-access/with-api.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {print, printJson} from '#cli/io.ts';
import {changeRepeatably} from '#cli/make-change.ts';
import {messageIds} from '#cli/messages/message-arguments.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';

export const star = starRunner('add');
export const unstar = starRunner('remove');

function starRunner(op: 'add' | 'remove'): VerbRunner<'star' | 'unstar'> {
  return ({values, words}, io, signal) =>
    withApi(values, io, signal, async (context) => {
      const messages = await messageIds(context, words);
      await changeRepeatably(() => context.api.updateFlags({messages, op, flag: 'starred'}));
      const text = countedNoun(messages.length, 'message');
      if (values.json) printJson(io, {messageIds: messages, isStarred: op === 'add'});
      else print(io, op === 'add' ? `Starred ${text}.` : `Removed the star of ${text}.`);
      return exitCodes.ok;
    });
}
