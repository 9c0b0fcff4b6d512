import {channelEmail} from '#state/actions/channels.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {failureReason} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {copyText} from '#ui/message-actions/copy-message.ts';

/** Copies the address to which emails become messages of the channel. */
export function copyChannelEmail(app: App, channelId: number): void {
  const name = channelName(app.state, channelId);
  channelEmail(app.session.context, channelId).then(
    (email) => copyText(app, email, email),
    (error: unknown) => {
      const reason = failureReason(error);
      if (reason !== undefined) app.toast(`No email address of #${name}: ${reason}`, 'error');
    },
  );
}
