import type {App} from '#app/core/app.ts';
import {copyText} from '#app/core/copy-text.ts';
import {RecordKind} from '#app/forms/record-kind.ts';
import {type OpenedRecordList, type RecordRow, recordAction} from '#app/forms/record-list.ts';
import {type CardKey, openCard, pressCardKey} from '#app/overlays/cards.ts';
import {requestFromServer} from '#app/requests/server-request.ts';
import {createInviteLink, inviteByEmail, revokeInvite, sendInviteAgain} from '#state/actions/invitations.ts';
import {invitations as openInvitations} from '#state/fetches/queries.ts';
import {userName} from '#state/selectors/names/names.ts';
import {
  canChangeGroup,
  canCreateInviteLink,
  canInvite,
  canInviteAs,
  canInviteToChannels,
} from '#state/selectors/permissions/people-permissions.ts';
import {isAdministrator, isOwner, refusalReason} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {type FormField, formField} from '#ui/core/form.ts';
import {type Frame, fetched} from '#ui/core/frame.ts';
import {blankLine} from '#ui/layout/ui-line.ts';
import {cardKeyLines, cardTextField, paragraph} from '#ui/overlays/card-lines.ts';
import {isEmail} from '#ui/people/person-rules.ts';
import {roleChoices, roleName} from '#ui/people/user-details.ts';
import {isRefusal} from '#wire/failure.ts';
import {type Invite, type InviteLink, roles} from '#wire/objects/user.ts';
import {featureProblem} from '#wire/server-features.ts';
import {ageText, dueText} from '#wording/moment-text.ts';
import {plainGlyphText} from '#wording/ui-glyphs.ts';

type InviteKind = 'email' | 'link';

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

async function sendEmails(app: App, values: InviteValues): Promise<void> {
  const emails = addresses(values.emails);
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
    showLinks(await inviteByEmail(app.session.context, args));
  } catch (error) {
    if (!isRefusal(error, 'INVITATION_FAILED')) throw error;
    showLinks(error.body?.invite_links ?? []);
    throw new Error(invitationFailure(error));
  }
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

async function makeLink(app: App, values: InviteValues): Promise<void> {
  const url = await createInviteLink(app.session.context, invitationArgs(app.state, values));
  app.undoStack.pushPermanent('Created an invitation link', {
    problem: 'An invitation link is not undone, but revoked in the list of invitations',
  });
  copyText(app, url, url);
}

function addresses(text: string): readonly string[] {
  const parts = text.split(/[,;\n]/).map((part) => part.trim().replace(/^.*<([^<>]*)>$/, '$1'));
  return [...new Set(parts.filter((part) => part !== ''))];
}

function addressesProblem(text: string): string | undefined {
  const wrong = addresses(text).find((part) => !isEmail(part));
  return wrong === undefined ? undefined : composed`“${wrong}” is no email address`;
}

function inviteFields({account, minute}: Frame, {kind}: InviteValues): readonly FormField[] {
  const isLink = kind === 'link';
  const email = refusalReason(canInvite(account, minute));
  const link = refusalReason(canCreateInviteLink(account, minute));
  const disabled = isLink ? link : email;
  const channels = disabled ?? refusalReason(canInviteToChannels(account, minute));
  return [
    ...(isLink ? [] : [emailsField(disabled)]),
    formField('choice', 'kind', 'Invite', {
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
    formField('switch', 'includesDefaultChannels', 'Default channels', {
      help: 'Subscribes them to the channels that all new users get.',
      disabled,
    }),
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
function openInviteLinkCard(app: App, links: readonly InviteLink[]): void {
  const [only, ...others] = links;
  const isOne = only !== undefined && others.length === 0;
  const text = isOne ? only.link_url : links.map(({email, link_url}) => `${email} ${link_url}\n`).join('');
  const copy = (from: App) => copyText(from, text, isOne ? `the link for ${only.email}` : 'the links');
  const keys: readonly CardKey[] = [['c', isOne ? 'copy the link' : 'copy the links', copy]];
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
      ...cardKeyLines(keys, width),
    ],
    onKey: (from, key) => pressCardKey(from, key, keys),
  });
  copy(app);
}

function inviteOf(frame: Frame, key: string): Invite | undefined {
  return fetched(frame, openInvitations()).data?.find((one) => keyOf(one) === key);
}

/** Returns why the user can invite nobody, neither by email nor with a link. */
function inviteProblem({account, minute}: Pick<Frame, 'account' | 'minute'>): string | undefined {
  const permission = canInvite(account, minute);
  return permission.ok || canCreateInviteLink(account, minute).ok ? undefined : permission.reason;
}

/** Links and invitations by email are numbered separately. */
function keyOf({id, is_multiuse}: Invite): string {
  return `${is_multiuse ? 'link' : 'email'} ${id}`;
}

function invitationRows(frame: Frame, invites: readonly Invite[]): readonly RecordRow[] {
  const links = invites.filter((one) => one.is_multiuse);
  const emails = invites.filter((one) => !one.is_multiuse);
  const section = (key: string, label: string, some: readonly Invite[]): readonly RecordRow[] =>
    some.length === 0 ? [] : [{key, label, isTitle: true}, ...some.map((one) => invitationRow(frame, one))];
  return [...section('emails', 'By email', emails), ...section('links', 'Links', links)];
}

function invitationRow(frame: Frame, one: Invite): RecordRow {
  const {account, minute, display} = frame;
  const {invited_as: role = roles.member, invited_by_user_id: by, invited, expiry_date: expires} = one;
  const age = invited === undefined ? '' : ageText(invited * 1000, minute);
  const notes = [
    role === roles.member ? '' : roleName(role),
    by === undefined || by === account.self.userId ? '' : composed`by ${userName(account, by)}`,
    age === '' ? '' : age === 'now' ? 'sent just now' : `sent ${age} ago`,
    expiryText(frame, expires),
  ];
  return {
    key: keyOf(one),
    label: one.is_multiuse ? linkLabel(one) : (one.email ?? 'Invitation'),
    detail: plainGlyphText(notes.filter((note) => note !== '').join(' · '), display),
  };
}

/** Returns the part of a link that tells it from others. */
function linkLabel({link_url: url = ''}: Invite): string {
  return URL.canParse(url) ? new URL(url).pathname : 'Link';
}

function expiryText(frame: Frame, expires: number | null | undefined): string {
  if (expires === undefined) return '';
  if (expires === null) return 'never expires';
  return expires * 1000 <= frame.minute ? 'expired' : `until ${dueText(frame, expires * 1000)}`;
}

function changeReason(frame: Frame, one: Invite | undefined): string | undefined {
  if (one === undefined) return inviteProblem(frame);
  const isForOwners = one.invited_as === roles.owner && !isOwner(frame.account);
  return isForOwners ? 'Only owners can change the invitation of an owner.' : undefined;
}

function sendAgain(app: App, one: Invite | undefined, list: OpenedRecordList): void {
  if (one === undefined) return;
  requestFromServer(app, {
    send: () => sendInviteAgain(app.session.context, one),
    doneText: (link) => {
      list.reload();
      if (link === undefined) return `Sent the invitation to ${one.email} again`;
      if (link !== null) openInviteLinkCard(app, [{email: one.email ?? '', link_url: link}]);
      return {text: `Extended the invitation of ${one.email}`, hint: 'this server sends no email'};
    },
    failureText: 'The invitation was not sent again',
  });
}

/** The open invitations: the user's own, and for administrators all. Events of other clients update them. */
export const invitations = new RecordKind<Invite, InviteValues, string>({
  noun: 'invitation',
  list: {
    id: 'invitations',
    title: 'Invitations',
    columns: 76,
    empty: 'No open invitations',
    reads: [openInvitations()],
    addLabel: 'Invite people…',
    rows: (frame, [invites = []]) => invitationRows(frame, invites),
    actions: [
      recordAction('Enter', 'copies the link', {
        isReadOnly: true,
        appliesTo: ({key}, frame) => inviteOf(frame, key)?.link_url !== undefined,
        run: (app, {key}) => {
          const url = inviteOf(app.frame, key)?.link_url;
          if (url !== undefined) copyText(app, url, url);
        },
      }),
      recordAction('Ctrl-R', 'sends it again', {
        appliesTo: ({key}, frame) => inviteOf(frame, key)?.is_multiuse === false,
        disabledReason: ({key}, frame) => changeReason(frame, inviteOf(frame, key)),
        run: (app, {key}, list) => sendAgain(app, inviteOf(app.frame, key), list),
      }),
    ],
  },
  keyOf: String,
  find: inviteOf,
  changeReason,
  form: {
    newTitle: 'Invite people',
    createLabel: 'Invite',
    values: (_one, {account, minute}) => ({
      kind: canInvite(account, minute).ok ? 'email' : 'link',
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
  },
  create: async (_context, values, {app}) => {
    await (values.kind === 'email' ? sendEmails(app, values) : makeLink(app, values));
    return undefined;
  },
  created: ({kind, emails: text}) => {
    const [first, ...others] = addresses(text);
    const people = others.length === 0 ? first : `${others.length + 1} people`;
    return kind === 'email' ? {done: composed`Invited ${people}`} : undefined;
  },
  removal: {
    hint: 'revokes',
    remove: (context, key) => {
      const [kind, id] = key.split(' ');
      return revokeInvite(context, {id: Number(id), is_multiuse: kind === 'link'});
    },
    confirm: ({is_multiuse: isLink, email = 'Invitation'}) => ({
      title: isLink ? 'Revoke this link?' : `Revoke the invitation of ${email}?`,
      yes: 'Revoke',
      detail: 'nobody can join with it any more',
    }),
    texts: ({is_multiuse: isLink, email}) => ({
      done: isLink ? 'Revoked the link' : `Revoked the invitation of ${email}`,
      failed: 'The invitation was not revoked',
    }),
  },
});
