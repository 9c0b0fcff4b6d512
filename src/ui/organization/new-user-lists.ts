import {setDefaultChannel} from '#state/actions/channels.ts';
import {channelName, sortedByName} from '#state/selectors/names/names.ts';
import {domainProblem} from '#std/domain-name.ts';
import {changeOnServer, undoOffer} from '#ui/actions/server-request.ts';
import {openChannelCard} from '#ui/channels/channel-card.ts';
import type {App} from '#ui/core/app.ts';
import {formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ToastMessage} from '#ui/core/toast-message.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {openRecordList, type RecordRow, recordAction} from '#ui/forms/record-list.ts';
import {administratorReason, ownerReason} from './organization-rights.ts';

/** Opens the list of domains of the email addresses that may join, to add, change and remove them. */
export function openDomainList(app: App): void {
  openRecordList(app, {
    id: 'domains',
    title: 'Allowed email domains',
    empty: 'No domains: addresses of all domains can join',
    columns: 76,
    rows: domainRows,
    add: {label: 'New domain…', disabledReason: changeReason, run: (from) => openDomainForm(from, undefined)},
    actions: [
      recordAction('Enter', 'edit', {isReadOnly: true, run: (from, {key}) => openDomainForm(from, key)}),
      recordAction('Delete', 'remove', {
        disabledReason: (_row, frame) => changeReason(frame),
        confirm: ({label}, {account}) => {
          const isLast = account.domains.length === 1 && account.realm.emailsRestrictedToDomains === true;
          const detail = 'the last one: addresses of all domains can join';
          return {title: `Remove the domain ${label}?`, yes: 'Remove', ...(isLast && {detail})};
        },
        run: (from, {key}) => remove(from, key),
      }),
    ],
  });
}

/** Returns the domains, under a title that says whether they restrict who can join: a switch decides that. */
function domainRows({account: {domains, realm}}: Frame): readonly RecordRow[] {
  if (domains.length === 0) return [];
  const label = realm.emailsRestrictedToDomains === true ? 'Only these can join' : 'Not enforced: all domains can join';
  const detail = realm.emailsRestrictedToDomains === true ? undefined : '“Only allowed domains” is off';
  return [
    {key: 'state', label, detail, isTitle: true},
    ...sortedByName(domains, ({domain}) => domain).map(
      ({domain, allow_subdomains: hasSubdomains}): RecordRow => ({
        key: domain,
        label: domain,
        detail: hasSubdomains ? 'and its subdomains' : undefined,
      }),
    ),
  ];
}

function changeReason(frame: Frame): string | undefined {
  return frame.account.server.abilities.domainsByOwners ? ownerReason(frame) : administratorReason(frame);
}

type DomainValues = {domain: string; hasSubdomains: boolean};

function openDomainForm(app: App, domain: string | undefined): void {
  const recordIn = ({account}: Frame) => account.domains.find((one) => one.domain === domain);
  openForm<DomainValues>(app, {
    id: `domain ${domain ?? ''}`,
    title: domain === undefined ? 'New domain' : 'Allowed email domain',
    ...(domain === undefined && {isNew: true as const, saveLabel: 'Add the domain'}),
    initial: (frame) => ({domain: domain ?? '', hasSubdomains: recordIn(frame)?.allow_subdomains ?? false}),
    disabledReason: changeReason,
    fields: (frame) => {
      if (domain !== undefined && recordIn(frame) === undefined) return [];
      return [
        formField('text', 'domain', 'Domain', {
          placeholder: 'example.com',
          isRequired: true,
          disabled: domain === undefined ? undefined : 'A domain has its name for ever: add another one',
          validate: (typed) => nameProblem(frame, typed.toLowerCase()),
        }),
        formField('switch', 'hasSubdomains', 'Subdomains', {
          help: 'Addresses of subdomains such as mail.example.com can join too.',
        }),
      ];
    },
    errorField: () => (domain === undefined ? 'domain' : 'hasSubdomains'),
    save: (from, _changes, values) =>
      domain === undefined ? add(from, values) : change(from, domain, values.hasSubdomains),
  });
}

function nameProblem({account}: Frame, domain: string): string | undefined {
  const isTaken = account.domains.some((one) => one.domain === domain);
  return isTaken ? `${domain} is already allowed` : domainProblem(domain);
}

async function add(app: App, {domain, hasSubdomains}: DomainValues): Promise<ToastMessage> {
  const {context} = app.session;
  await context.api.addDomain({domain, allow_subdomains: hasSubdomains});
  return undoOffer(app, {
    label: `Allowed ${domain}`,
    undo: () => context.api.removeDomain({domain}),
    undoneText: `Removed the domain ${domain}`,
    failureText: `${domain} was not removed`,
  });
}

async function change(app: App, domain: string, hasSubdomains: boolean): Promise<ToastMessage> {
  const {context} = app.session;
  await context.api.updateDomain({domain, allow_subdomains: hasSubdomains});
  return undoOffer(app, {
    label: `${hasSubdomains ? 'Allowed' : 'Excluded'} subdomains of ${domain}`,
    undo: () => context.api.updateDomain({domain, allow_subdomains: !hasSubdomains}),
    undoneText: `${hasSubdomains ? 'Excluded' : 'Allowed'} subdomains of ${domain}`,
    failureText: `${domain} was not changed`,
  });
}

function remove(app: App, domain: string): void {
  const {context} = app.session;
  const {domains, realm} = app.state;
  const hasSubdomains = domains.find((one) => one.domain === domain)?.allow_subdomains ?? false;
  // The server turns the restriction off with the last domain.
  const turnsOff = domains.length === 1 && realm.emailsRestrictedToDomains === true;
  changeOnServer(app, {
    send: () => context.api.removeDomain({domain}),
    failureText: `${domain} was not removed`,
    label: `Removed the domain ${domain}`,
    undo: async () => {
      await context.api.addDomain({domain, allow_subdomains: hasSubdomains});
      if (turnsOff) await context.api.updateRealm({emails_restricted_to_domains: true});
    },
    undoneText: `Allowed ${domain} again`,
    undoFailureText: `${domain} was not added again`,
  });
}

/** Opens the list of channels that new users are subscribed to, to add and remove them. */
export function openDefaultChannelList(app: App): void {
  openRecordList(app, {
    id: 'default channels',
    title: 'Default channels',
    empty: 'New users are subscribed to no channel',
    rows: ({account}) => {
      const known = [...account.defaultChannels].filter((id) => account.channels.has(id));
      return sortedByName(known, (id) => channelName(account, id)).map(
        (id): RecordRow => ({
          key: String(id),
          label: `#${channelName(account, id)}`,
          detail: account.channels.get(id)?.description,
        }),
      );
    },
    add: {label: 'Add channels…', disabledReason: administratorReason, run: openAddForm},
    actions: [
      recordAction('Enter', 'details', {isReadOnly: true, run: (from, {key}) => openChannelCard(from, Number(key))}),
      recordAction('Delete', 'remove', {
        disabledReason: (_row, frame) => administratorReason(frame),
        run: (from, {key, label}) =>
          changeOnServer(from, {
            send: () => setDefaultChannel(from.session.context, Number(key), false),
            failureText: `${label} was not removed`,
            label: `Removed ${label} from the default channels`,
            undo: () => setDefaultChannel(from.session.context, Number(key), true),
            undoneText: `${label} is a default channel again`,
            undoFailureText: `${label} was not added again`,
          }),
      }),
    ],
  });
}

type NewDefaults = {channelIds: readonly number[]};

function openAddForm(app: App): void {
  openForm<NewDefaults>(app, {
    id: 'add default channels',
    title: 'Add default channels',
    saveLabel: 'Add',
    initial: () => ({channelIds: []}),
    fields: (frame) => [
      formField('channels', 'channelIds', 'Channels', {
        help: 'New users are subscribed to them. Private channels cannot be chosen.',
        disabled: administratorReason(frame),
        isOffered: (id, {account}) => {
          const channel = account.channels.get(id);
          return channel?.isPrivate === false && channel.isArchived !== true && !account.defaultChannels.has(id);
        },
      }),
    ],
    save: async (from, _changes, {channelIds}) => {
      const {context} = from.session;
      const setAll = async (isDefault: boolean) => {
        for (const id of channelIds) await setDefaultChannel(context, id, isDefault);
      };
      await setAll(true);
      return undoOffer(from, {
        label: `Added ${countedNoun(channelIds.length, 'default channel')}`,
        undo: () => setAll(false),
        undoneText: `Removed ${countedNoun(channelIds.length, 'default channel')}`,
        failureText: 'The default channels were not removed',
      });
    },
  });
}
