import {withApi} from '#cli/account-access/with-api.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {print, printJson} from '#cli/io.ts';
import {changeRepeatably} from '#cli/make-change.ts';
import {messageId} from '#cli/messages/message-arguments.ts';
import {emojiNameArgument} from '#cli/name-arguments.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import {printableLine} from '#std/printable.ts';

/** Only the name of the emoji is sent: the server knows its own emoji. */
export const react: VerbRunner<'react'> = ({values, words}, io, signal) =>
  withApi(values, io, signal, async (context) => {
    const [message = '', emoji = ''] = words;
    const id = await messageId(context, message);
    const args = {message_id: id, emoji_name: emojiNameArgument(emoji)};
    const {addReaction, removeReaction} = context.api;
    await changeRepeatably(() => (values.remove ? removeReaction(args) : addReaction(args)));
    const name = args.emoji_name;
    if (values.json) printJson(io, {messageId: id, emojiName: name, isPresent: !values.remove});
    else print(io, printableLine(values.remove ? `Removed :${name}:.` : `Reacted with :${name}:.`));
    return exitCodes.ok;
  });
