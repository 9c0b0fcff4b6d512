import {distinctUserName} from '#state/selectors/names/names.ts';
import {failureReason, requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {blankLine} from '#ui/layout/ui-line.ts';
import {copyText} from '#ui/message-actions/message-content.ts';
import {cardKeyLines, cardTextField, openCard, paragraph} from '#ui/overlays/cards.ts';
import {confirm} from '#ui/overlays/picker.ts';
import {deactivatedToast} from './account-forms.ts';

type KeyOwner = ReturnType<typeof ownerOf>;

/** Shows an API key, and copies it. */
export function openKeyCard(app: App, {name, email}: KeyOwner, apiKey: string): void {
  const {site} = app.session.context.api.connection;
  const copies: Readonly<Record<string, readonly [text: string, what: string]>> = {
    c: [apiKey, `the API key of ${name}`],
    z: [`[api]\nemail=${email}\nkey=${apiKey}\nsite=${site}\n`, `a zuliprc file for ${name}`],
    w: [`${site}/api/v1/external/slack_incoming?api_key=${apiKey}`, `a webhook URL for ${name}`],
  };
  const copy = (from: App, key: string) => {
    const [text, what] = copies[key] ?? [];
    if (text !== undefined && what !== undefined) copyText(from, text, what);
    return text !== undefined;
  };
  openCard(app, {
    id: 'api-key',
    title: `API key of ${name}`,
    columns: 64,
    hint: {Esc: 'closes'},
    lines: (_frame, width) => [
      ...cardTextField('Address', email, width),
      ...cardTextField('Key', apiKey, width),
      ...cardTextField('Server', site, width),
      blankLine,
      ...paragraph('Whoever has the key can act as the bot. Keep it secret.', 'dim', width),
      blankLine,
      ...cardKeyLines(
        [
          ['c', 'copy the key'],
          ['z', 'copy a zuliprc file'],
          ['w', 'copy a webhook URL'],
        ],
        width,
      ),
    ],
    onKey: (from, {name: key, ctrl, alt}) => ctrl !== true && alt !== true && copy(from, key),
  });
  copy(app, 'c');
}

function ownerOf({state}: App, botId: number) {
  return {name: distinctUserName(state, botId), email: state.users.get(botId)?.email ?? ''};
}

/** Fetches the key of a bot and shows it. Works in a read-only session, because nothing changes. */
export function copyBotKey(app: App, botId: number): void {
  app.session.context.api.getBotApiKey({bot_id: botId}).then(
    ({api_key: apiKey}) => openKeyCard(app, ownerOf(app, botId), apiKey),
    (error: unknown) => app.toast(failureReason(error) ?? '', 'error'),
  );
}

/** Asks, then replaces the key of a bot and shows the new one. */
export function confirmNewKey(app: App, botId: number): void {
  const {name} = ownerOf(app, botId);
  confirm(app, {
    title: `Make a new API key for ${name}?`,
    yes: 'Make a new key',
    detail: 'the old one stops working at once',
    onYes: (from) =>
      requestFromServer(from, {
        send: () => from.session.context.api.regenerateBotApiKey({bot_id: botId}),
        doneText: ({api_key: apiKey}) => {
          openKeyCard(from, ownerOf(from, botId), apiKey);
          return `Made a new API key for ${name}`;
        },
        failureText: `The key of ${name} is as before`,
      }),
  });
}

/** Asks, then deactivates a bot. */
export function confirmBotDeactivation(app: App, botId: number): void {
  const {name} = ownerOf(app, botId);
  confirm(app, {
    title: `Deactivate ${name}?`,
    yes: `Deactivate ${name}`,
    detail: 'it can no longer log in',
    onYes: (from) =>
      requestFromServer(from, {
        send: () => from.session.context.api.deactivateBot({bot_id: botId}),
        doneText: () => deactivatedToast(from, botId),
        failureText: `${name} was not deactivated`,
      }),
  });
}
