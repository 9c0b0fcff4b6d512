import type {App} from '#app/core/app.ts';
import {copyText} from '#app/core/copy-text.ts';
import {withFacts} from '#content/message-facts.ts';
import {parseMessage} from '#content/parse-message.ts';
import {plainText} from '#content/plain-text.ts';
import type {Message} from '#state/model/message.ts';
import {messageContext} from '#ui/format/message-context.ts';

export function copyMessage(app: App, message: Message): void {
  const {copied} = app.screen;
  const isSource = copied?.id === message.id && !copied.isSource;
  app.set({copied: {id: message.id, isSource}});
  const {content, facts} = message;
  const text = isSource ? content : plainText(parseMessage(content, withFacts(messageContext(app.state), facts)));
  const what = isSource ? 'the Markdown of the message' : 'the text · C again for its Markdown';
  copyText(app, text, what);
}
