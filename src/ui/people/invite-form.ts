import {isRefusal} from '#api/failure.ts';
import {
  canChangeGroup,
  canCreateInviteLink,
  canInvite,
  canInviteAs,
  canInviteToChannels,
} from '#state/selectors/permissions/people-permissions.ts';
import {isAdministrator, refusalReason} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import type {App} from '#ui/core/app.ts';
import {type FormField, formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {blankLine} from '#ui/layout/ui-line.ts';
import {copyText} from '#ui/message-actions/message-content.ts';
import {cardKeyLines, cardTextField, openCard, paragraph} from '#ui/overlays/cards.ts';
import type {InviteLink} from '#wire/objects/user.ts';
import {roles} from '#wire/objects/user.ts';
import {featureProblem} from '#wire/server-features.ts';
import {isEmail} from './person-rules.ts';
import {roleChoices} from './user-details.ts';

export type InviteKind = 'email' | 'link';

type InviteValues = {
  readonly kind: InviteKind;
  readonly emails: string;
  readonly role: number;
  readonly days: number | null;
  readonly includesDefaultChannels: boolean;
  readonly channelIds: readonly number[];
  readonly groupIds: readonly number[];
  readonly notifiesMe: boolean;
  readonly welcomeMessage: string;
};

const defaultDays = 10;
const maxDays = 3650;

/** Opens the form that invites people by email or creates a link to join with. */
export function openInviteForm(app: App, kind: InviteKind): void {
  openForm<InviteValues>(app, {
    id: `invite ${kind}`,
    title: 'Invite people',
    isNew: true,
    saveLabel: 'Invite',
    initial: ({account}) => ({
      kind,
      emails: '',
      role: roles.member,
      days: defaultDays,
      includesDefaultChannels: account.defaultChannels.size > 0,
      channelIds: [],
      groupIds: [],
      notifiesMe: true,
      welcomeMessage: '',
    }),
    fields: inviteFields,
    errorField: (error) => (isRefusal(error) ? undefined : 'emails'),
    save: (from, _changes, values) => (values.kind === 'email' ? sendEmails(from, values) : makeLink(from, values)),
  });
}

/** Returns what both kinds of invitations say. Servers that cannot be told to use the default channels get their ids. */
function invitationArgs({server, defaultChannels}: AccountState, values: InviteValues) {
  const {role, days, channelIds, groupIds, includesDefaultChannels} = values;
  const areNamed = includesDefaultChannels && featureProblem(server.level, 'inviteToDefaultChannels') !== undefined;
  const welcome = values.welcomeMessage.trim();
  return {
    stream_ids: [...new Set([...channelIds, ...(areNamed ? defaultChannels : [])])],
    ...(includesDefaultChannels && !areNamed && {include_realm_default_subscriptions: true}),
    ...(groupIds.length > 0 && {group_ids: [...groupIds]}),
    invite_as: role,
    invite_expires_in_minutes: days === null ? null : days * 24 * 60,
    ...(welcome !== '' && {welcome_message_custom_text: welcome}),
  };
}

async function sendEmails(app: App, values: InviteValues): Promise<string> {
  const emails = addresses(values.emails);
  const {context} = app.session;
  const args = {
    invitee_emails: emails.join(','),
    ...invitationArgs(app.state, values),
    ...(!values.notifiesMe && {notify_referrer_on_join: false}),
  };
  // After the form has closed or shows the failure, so that the card lies over it.
  const showLinks = (links: readonly InviteLink[]) => {
    if (links.length > 0) app.clock.after(0, () => openInviteLinkCard(app, links));
  };
  try {
    showLinks((await context.api.sendInvites(args)).invite_links ?? []);
  } catch (error) {
    if (!isRefusal(error, 'INVITATION_FAILED')) throw error;
    showLinks(error.body?.invite_links ?? []);
    throw new Error(invitationFailure(error));
  }
  return `Invited ${emails.length === 1 ? emails[0] : countedNoun(emails.length, 'person').replace('persons', 'people')}`;
}

/** Returns the server's reason with the addresses that it is about. */
function invitationFailure({message, body}: {readonly message: string; readonly body: unknown}): string {
  const errors: unknown = Reflect.get(Object(body), 'errors');
  const lines = (Array.isArray(errors) ? errors : []).flatMap((error: unknown) => {
    if (!Array.isArray(error)) return [];
    const [email, reason] = error;
    return [`${email}: ${reason}`];
  });
  return [message, ...lines].join(' ');
}

async function makeLink(app: App, values: InviteValues): Promise<undefined> {
  const {context} = app.session;
  const {invite_link: url} = await context.api.createInviteLink(invitationArgs(app.state, values));
  app.undoStack.pushPermanent('Created an invitation link', {
    problem: 'An invitation link is not undone, but revoked in the list of invitations',
  });
  copyText(app, url, url);
  return undefined;
}

function addresses(text: string): readonly string[] {
  const parts = text.split(/[,;\n]/).map((part) => part.trim().replace(/^.*<([^<>]*)>$/, '$1'));
  return [...new Set(parts.filter((part) => part !== ''))];
}

function addressesProblem(text: string): string | undefined {
  const wrong = addresses(text).find((part) => !isEmail(part));
  return wrong === undefined ? undefined : `“${wrong}” is no email address`;
}

function inviteFields({account, minute}: Frame, {kind}: InviteValues): readonly FormField[] {
  const isLink = kind === 'link';
  const email = refusalReason(canInvite(account, minute));
  const link = refusalReason(canCreateInviteLink(account, minute));
  const disabled = isLink ? link : email;
  const channels = disabled ?? refusalReason(canInviteToChannels(account, minute));
  return [
    ...(isLink ? [] : [emailsField(disabled)]),
    formField('choice', 'kind', 'How', {
      choices: [
        {value: 'email', label: 'By email', disabled: email},
        {value: 'link', label: 'With a link', detail: 'anyone who has it can join', disabled: link},
      ],
    }),
    formField('choice', 'role', 'They join as', {
      choices: roleChoices().map(([value, label]) => {
        return {value, label, disabled: refusalReason(canInviteAs(account, value))};
      }),
      disabled,
    }),
    formField('number', 'days', 'Expires in', {unit: 'days', min: 1, max: maxDays, emptyText: 'never', disabled}),
    formField('switch', 'includesDefaultChannels', 'Default channels', {disabled}),
    formField('channels', 'channelIds', 'More channels', {disabled: channels}),
    ...laterFields({account, minute}, isLink, disabled),
  ];
}

function emailsField(disabled: string | undefined): FormField {
  return formField('text', 'emails', 'Addresses', {
    isMultiline: true,
    isRequired: true,
    placeholder: 'ann@example.com',
    help: 'One per line, or separated by commas.',
    validate: addressesProblem,
    disabled,
  });
}

/** The fields that newer servers have. */
function laterFields(
  {account, minute}: Pick<Frame, 'account' | 'minute'>,
  isLink: boolean,
  disabled: string | undefined,
): readonly FormField[] {
  const {server} = account;
  const notify: FormField = formField('switch', 'notifiesMe', 'Tell me when they join', {
    disabled: disabled ?? featureProblem(server.level, 'notifyReferrer'),
  });
  return [
    formField('groups', 'groupIds', 'Groups', {
      isOffered: (id) => canChangeGroup(account, 'add', id, minute).ok,
      disabled: disabled ?? featureProblem(server.level, 'inviteToGroups'),
    }),
    ...(isLink ? [] : [notify]),
    formField('text', 'welcomeMessage', 'Welcome message', {
      isMultiline: true,
      placeholder: 'that of the organization',
      disabled:
        disabled ??
        featureProblem(server.level, 'welcomeMessage') ??
        (isAdministrator(account) ? undefined : 'Only administrators can change the welcome message.'),
    }),
  ];
}

/** Shows and copies the links of invitations by email, which a server that sends no mail hands to the inviter alone. */
export function openInviteLinkCard(app: App, links: readonly InviteLink[]): void {
  const [only, ...others] = links;
  const isOne = only !== undefined && others.length === 0;
  const text = isOne ? only.link_url : links.map(({email, link_url}) => `${email} ${link_url}\n`).join('');
  const copy = (from: App) => copyText(from, text, isOne ? `the link for ${only.email}` : 'the links');
  openCard(app, {
    id: 'invite-links',
    title: isOne ? 'Invitation link' : 'Invitation links',
    columns: 76,
    hint: {Esc: 'closes'},
    lines: (_frame, width) => [
      ...paragraph('This server sends no email. Give each person their link yourself:', 'text', width),
      blankLine,
      ...links.flatMap(({email, link_url}) => cardTextField(email, link_url, width)),
      blankLine,
      ...paragraph('Whoever has a link can join with it. It is shown to you only.', 'dim', width),
      blankLine,
      ...cardKeyLines([['c', isOne ? 'copy the link' : 'copy the links']], width),
    ],
    onKey: (from, {name: key, ctrl, alt}) => {
      if (key !== 'c' || ctrl === true || alt === true) return false;
      copy(from);
      return true;
    },
  });
  copy(app);
}
