import {isRefusal, type PermanentFailure} from '#api/failure.ts';
import type {ApiContext} from '#cli/account-access/with-api.ts';
import {type StateContext, withFetchedUsers, withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {PlainFailure} from '#cli/failures.ts';
import {print, printJson, printNotice} from '#cli/io.ts';
import {changeEach, changeOnce} from '#cli/make-change.ts';
import {channelArgument, groupArgument, isEmailAddress, requirePermission} from '#cli/name-arguments.ts';
import {tableLines} from '#cli/table-lines.ts';
import {timeText} from '#cli/time-argument.ts';
import {UsageError} from '#cli/usage-error.ts';
import {roleName} from '#cli/verbs/role-name.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import type {VerbArguments} from '#cli/verbs/verb-table.ts';
import {distinctUserName} from '#state/selectors/names/names.ts';
import {allowedIf, hasRealmPermission} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {printableLine} from '#std/printable.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import type {Invite, InviteLink} from '#wire/objects/invite.ts';
import {roles} from '#wire/objects/user.ts';

const needs = {fetch: ['realm', 'subscription', 'realm_user_groups'], people: 'self'} as const;
const checkText = 'List the invitations with “parley invite list”.';
const minutesPerDay = 24 * 60;

export const invite: VerbRunner<'invite'> = ({values, words}, io, signal) => {
  const emails = [...new Set(words.flatMap((word) => word.split(',')).map((word) => word.trim()))];
  for (const email of emails) {
    if (!isEmailAddress(email)) throw new UsageError(`“${email}” is not an e-mail address.`);
  }
  return withState(values, io, signal, needs, async (context) => {
    const {api, state} = context;
    requireInvitePermission(context, 'canInviteUsersGroup');
    const args = {
      invitee_emails: emails.join(','),
      ...invitationArgs(state, values),
      notify_referrer_on_join: !values.quiet,
    };
    const show = (invited: readonly string[], links: readonly InviteLink[]) => {
      if (values.json) printJson(io, {invited, ...(links.length > 0 && {links: links.map(linkJson)})});
      else print(io, [`Invited ${invited.map(printableLine).join(', ')}.`, ...linkLines(links)].join('\n'));
    };
    const {invite_links: links = []} = await changeOnce(() => api.sendInvites(args), checkText).catch((error) => {
      if (!isRefusal(error)) throw error;
      const given = error.body?.invite_links ?? [];
      if (given.length > 0)
        show(
          given.map(({email}) => email),
          given,
        );
      throw partialFailure(error);
    });
    show(emails, links);
    return exitCodes.ok;
  });
};

/** Returns the links of invitations by e-mail, which a server that sends no mail hands to the inviter alone. */
function linkLines(links: readonly InviteLink[]): readonly string[] {
  if (links.length === 0) return [];
  const rows = links.map(({email, link_url}) => [email, link_url]);
  return ['This server sends no e-mail. Give each person their link:', ...tableLines(rows)];
}

function linkJson({email, link_url: url}: InviteLink) {
  return {email, url};
}

/** Returns a failure that names the addresses that could not be invited, if the server says which. */
function partialFailure(error: PermanentFailure): PermanentFailure | PlainFailure {
  const errors: unknown = error.body?.errors;
  const rejected = (Array.isArray(errors) ? errors : []).flatMap((entry: unknown) =>
    Array.isArray(entry) ? [entry.slice(0, 2).map(String).join(': ')] : [],
  );
  if (rejected.length === 0) return error;
  return new PlainFailure(`${error.message} ${printableLine(rejected.join(' '))}`);
}

function requireInvitePermission({state, io}: StateContext, name: 'canInviteUsersGroup' | 'createMultiuseInviteGroup') {
  const code = name === 'canInviteUsersGroup' ? state.realm.inviteToRealmPolicy : undefined;
  const fallback = name === 'canInviteUsersGroup' ? 'role:members' : 'role:administrators';
  const legacy = {policy: {code}, fallback} as const;
  const isAllowed = hasRealmPermission(state, state.self.userId, name, io.clock.now(), legacy);
  requirePermission(allowedIf(isAllowed, 'You do not have permission to invite people.'));
}

export const inviteLink: VerbRunner<'invite link'> = ({values}, io, signal) =>
  withState(values, io, signal, needs, async (context) => {
    const {api, state} = context;
    requireInvitePermission(context, 'createMultiuseInviteGroup');
    const args = invitationArgs(state, values);
    const {invite_link: url} = await changeOnce(() => api.createInviteLink(args), checkText);
    if (values.json) printJson(io, {url});
    else print(io, printableLine(url));
    return exitCodes.ok;
  });

function invitationArgs(state: AccountState, values: VerbArguments<'invite link'>['values']) {
  const {role, channel, group, expires, welcome} = values;
  return {
    stream_ids: channel.map((text) => channelArgument(state, text).id),
    include_realm_default_subscriptions: channel.length === 0,
    ...(role !== undefined && {invite_as: roles[role]}),
    ...(group.length > 0 && {group_ids: group.map((text) => groupArgument(state, text).id)}),
    ...(expires !== undefined && {invite_expires_in_minutes: expiryArgument(expires)}),
    ...(welcome !== undefined && {welcome_message_custom_text: welcome}),
  };
}

function expiryArgument(text: string): number | null {
  if (text === 'never') return null;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text) * minutesPerDay;
  throw new UsageError(`--expires must be a number of days or never, not “${text}”.`);
}

export const inviteList: VerbRunner<'invite list'> = ({values}, io, signal) =>
  withState(values, io, signal, needs, async (context) => {
    const {invites} = await context.api.getInvites({});
    const {state} = await withFetchedUsers(
      context,
      invites.flatMap(({invited_by_user_id: id}) => id ?? []),
    );
    if (values.json) printJson(io, invites.map(inviteJson));
    else if (invites.length === 0) print(io, 'No invitations.');
    else print(io, tableLines(invites.map((each) => inviteCells(state, each))).join('\n'));
    return exitCodes.ok;
  });

/** E-mail invitations and links are numbered separately. */
function inviteId({id, is_multiuse: isLink}: Invite): string {
  return isLink ? `link-${id}` : String(id);
}

function inviteCells(state: AccountState, each: Invite): string[] {
  const expiry = each.expiry_date;
  const inviter = each.invited_by_user_id;
  return [
    inviteId(each),
    each.email ?? each.link_url ?? '',
    roleName(each.invited_as),
    expiry === undefined || expiry === null ? 'never expires' : `until ${timeText(expiry)}`,
    inviter === undefined ? '' : `by ${distinctUserName(state, inviter)}`,
  ];
}

function inviteJson(each: Invite) {
  return {
    id: inviteId(each),
    email: each.email ?? null,
    url: each.link_url ?? null,
    role: roleName(each.invited_as),
    invitedAt: each.invited ?? null,
    expiresAt: each.expiry_date ?? null,
    invitedById: each.invited_by_user_id ?? null,
  };
}

export const inviteRevoke: VerbRunner<'invite revoke'> = ({values, words}, io, signal) => {
  const ids = inviteIds(words);
  return withState(values, io, signal, needs, async (context) => {
    const {revokeInvite, revokeInviteLink} = context.api;
    const revoke = ({id, isLink}: InviteId) =>
      isLink ? revokeInviteLink({invite_id: id}) : revokeInvite({invite_id: id});
    await changeInvites(context, ids, revoke, 'revoked');
    if (values.json) printJson(io, {revoked: ids.map(({text}) => text)});
    else print(io, `Revoked ${countedNoun(ids.length, 'invitation')}.`);
    return exitCodes.ok;
  });
};

export const inviteResend: VerbRunner<'invite resend'> = ({values, words}, io, signal) => {
  const ids = inviteIds(words);
  if (ids.some(({isLink}) => isLink)) throw new UsageError('A link has no e-mail that could be sent again.');
  return withState(values, io, signal, needs, async (context: StateContext) => {
    let sendsMail = true;
    const links: {readonly id: string; readonly url: string}[] = [];
    const resend = async ({id, text}: InviteId) => {
      const {invite_link: url} = await changeOnce(() => context.api.resendInvite({invite_id: id}), checkText);
      if (url !== undefined) sendsMail = false;
      if (typeof url === 'string') links.push({id: text, url});
    };
    await changeInvites(context, ids, resend, 'sent again');
    const count = countedNoun(ids.length, 'invitation');
    if (values.json) printJson(io, {resent: ids.map(({text}) => text), ...(links.length > 0 && {links})});
    else print(io, sendsMail ? `Sent ${count} again.` : `Extended ${count}. This server sends no e-mail.`);
    if (!values.json && links.length > 0) print(io, tableLines(links.map(({id, url}) => [id, url])).join('\n'));
    return exitCodes.ok;
  });
};

interface InviteId {
  readonly id: number;
  readonly isLink: boolean;
  readonly text: string;
}

function inviteIds(words: readonly string[]): InviteId[] {
  return [...new Set(words)].map((text) => {
    const [, link, digits] = /^(link-)?(\d{1,15})$/.exec(text) ?? [];
    if (digits === undefined) throw new UsageError(`“${text}” is not an id from “parley invite list”.`);
    return {id: Number(digits), isLink: link !== undefined, text};
  });
}

function changeInvites(
  {io}: ApiContext,
  ids: readonly InviteId[],
  change: (id: InviteId) => Promise<unknown>,
  done: string,
): Promise<void> {
  return changeEach(ids, change, (count) =>
    printNotice(io, `${count} of ${ids.length} were ${done} before this failure:`),
  );
}
