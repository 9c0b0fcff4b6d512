import {type UserSettings, userSettings} from '#server/accounts/user-settings.ts';
import {
  cleanContent,
  conversationUserIds,
  forbiddenInNames,
  maxContentLength,
  maxTopicLength,
  otherRecipients,
  truncateText,
} from '#server/actions/inputs.ts';
import {maxTimestamp} from '#server/actions/schedule/scheduled-messages.ts';
import {changeUserSettings} from '#server/actions/users/update-account.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {fold} from '#server/db/rows.ts';
import {badRequest, check, notFoundError, required} from '#server/errors.ts';
import {requireActive, requireReadableChannel} from '#server/permissions/channel.ts';
import {type Route, route} from '#server/route.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {
  builtInFragments,
  type DraftInput,
  type WireDraft,
  type WireNavigationView,
  type WireSnippet,
} from '#wire/objects/personal.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

/** A fragment must fit into one segment of a URL path. */
/** Zulip's servers have no limits; these only keep the list of views small. */
const maxFragmentLength = 1000;
const maxNameLength = 1000;
const builtIn = new Set<string>(builtInFragments);

interface NavigationViewRow {
  readonly user_id: number;
  readonly fragment: string;
  readonly is_pinned: number;
  readonly name: string | null;
}

interface SnippetRow {
  readonly id: number;
  readonly user_id: number;
  readonly title: string;
  readonly content: string;
  readonly created_at: number;
}

/** Saved snippets, views in the sidebar, notices that are shown once, and slash commands. */
export const personalItemRoutes: readonly Route[] = [
  route(endpoints.getSnippets, 'account', ({db, actor}) => ({saved_snippets: snippetViews(db, actor.id)})),
  route(endpoints.createSnippet, 'account', (call, params) => ({saved_snippet_id: createSnippet(call, params)})),
  route(endpoints.editSnippet, 'account', (call, {saved_snippet_id: id, ...changes}) => {
    if (changes.title === undefined && changes.content === undefined) return;
    const texts = checkedSnippet(changes);
    const snippet = {...ownSnippet(call, id), ...texts};
    call.db.updateRow('saved_snippet', id, texts);
    emitSnippets(call, {op: 'update', saved_snippet: snippetView(snippet)});
  }),
  route(endpoints.deleteSnippet, 'account', (call, {saved_snippet_id: id}) => {
    call.db.run('DELETE FROM saved_snippet WHERE id = ?', ownSnippet(call, id).id);
    emitSnippets(call, {op: 'remove', saved_snippet_id: id});
  }),

  route(endpoints.getNavigationViews, 'account', ({db, actor}) => ({navigation_views: navigationViews(db, actor.id)})),
  route(endpoints.addNavigationView, 'account', addNavigationView),
  route(endpoints.editNavigationView, 'account', editNavigationView),
  route(endpoints.removeNavigationView, 'account', (call, {fragment}) => {
    ownView(call, fragment);
    call.db.run('DELETE FROM navigation_view WHERE user_id = ? AND fragment = ?', call.actor.id, fragment);
    emitView(call, {op: 'remove', fragment});
  }),

  route(endpoints.runSlashCommand, 'account', (call, params) => runSlashCommand(call, params.command)),
  route(otherEndpoints.markOnboardingStep, 'person', ({db, actor, emit}, {onboarding_step: name}) => {
    if (!steps.some((step) => step.name === name)) throw badRequest(`Unknown onboarding_step: ${name}`);
    db.insertNewRow('onboarding_step', {user_id: actor.id, name});
    emit('onboarding_steps', [actor.id], {onboarding_steps: onboardingSteps(db, actor.id)});
  }),

  route(endpoints.getDrafts, 'account', (call) => {
    checkSynchronized(call);
    const drafts = draftViews(call.db, call.actor.id).reverse();
    return {count: drafts.length, drafts};
  }),
  route(endpoints.createDrafts, 'account', (call, {drafts}) => {
    checkSynchronized(call);
    return {ids: createDrafts(call, drafts)};
  }),
  route(endpoints.editDraft, 'account', (call, {draft_id: id, draft: input}) => {
    checkSynchronized(call);
    const before = ownDraft(call, id);
    const fields = cleanDraft(call, input);
    call.db.updateRow('draft', id, fields);
    emitDrafts(call, {op: 'update', draft: draftView({...before, ...fields})});
  }),
  route(endpoints.deleteDraft, 'account', (call, {draft_id: id}) => {
    checkSynchronized(call);
    call.db.run('DELETE FROM draft WHERE id = ?', ownDraft(call, id).id);
    emitDrafts(call, {op: 'remove', draft_id: id});
  }),
];

/** Returns a user's navigation views in the order they were added. */
export function navigationViews(db: Database, userId: number): WireNavigationView[] {
  return viewRows(db, userId).map(navigationView);
}

function viewRows(db: Database, userId: number): NavigationViewRow[] {
  return db.all<NavigationViewRow>('SELECT * FROM navigation_view WHERE user_id = ? ORDER BY rowid', userId);
}

/** Returns a navigation view as the API shows it. The name of a built-in view is null. */
function navigationView({fragment, is_pinned, name}: NavigationViewRow): WireNavigationView {
  return {fragment, is_pinned: is_pinned === 1, name};
}

function emitView(act: RequestContext, body: Readonly<Record<string, unknown>>): void {
  act.emit('navigation_view', [act.actor.id], body);
}

function addNavigationView(act: RequestContext, input: ParamsOf<typeof endpoints.addNavigationView>): void {
  const fragment = input.fragment.trim();
  if (fragment.length > maxFragmentLength) throw badRequest(`Fragment is too long (limit: ${maxFragmentLength}).`);
  if (fragment.includes('\0')) throw badRequest('Fragment must not contain null bytes.');
  const name = input.name == null ? null : cleanName(fragment, input.name);
  if (name === null && !builtIn.has(fragment)) throw badRequest('Custom views must have a valid name.');
  if (findView(act, fragment) !== undefined) throw alreadyExists();
  checkNameIsFree(act, fragment, name);
  const row = {user_id: act.actor.id, fragment, is_pinned: input.is_pinned ? 1 : 0, name};
  act.db.insertRow('navigation_view', row);
  emitView(act, {op: 'add', navigation_view: navigationView(row)});
}

type ViewChanges = ParamsOf<typeof endpoints.editNavigationView>;

function editNavigationView(act: RequestContext, {fragment, ...changes}: ViewChanges): void {
  const newName = changes.name == null ? undefined : cleanName(fragment, changes.name);
  const before = ownView(act, fragment);
  const name = newName ?? before.name;
  checkNameIsFree(act, fragment, name);
  const isPinned = changes.is_pinned ?? before.is_pinned === 1;
  const sql = 'UPDATE navigation_view SET is_pinned = ?, name = ? WHERE user_id = ? AND fragment = ?';
  act.db.run(sql, isPinned ? 1 : 0, name, act.actor.id, fragment);
  const data = {
    ...(changes.is_pinned === undefined ? {} : {is_pinned: isPinned}),
    ...(newName === undefined ? {} : {name}),
  };
  emitView(act, {op: 'update', fragment, data});
}

function findView({db, actor}: RequestContext, fragment: string): NavigationViewRow | undefined {
  return viewRows(db, actor.id).find((view) => view.fragment === fragment);
}

function ownView(act: RequestContext, fragment: string): NavigationViewRow {
  return required(findView(act, fragment), () => notFoundError('Navigation view does not exist.'));
}

function cleanName(fragment: string, input: string): string {
  if (builtIn.has(fragment)) throw badRequest('Built-in views cannot have a custom name.');
  const name = input.trim();
  if (name === '' || forbiddenInNames.test(name)) throw badRequest('Custom views must have a valid name.');
  if (Array.from(name).length > maxNameLength) {
    throw badRequest(`Name is too long (limit: ${maxNameLength} characters).`);
  }
  return name;
}

function checkNameIsFree({db, actor}: RequestContext, fragment: string, name: string | null): void {
  if (name === null) return;
  const isTaken = viewRows(db, actor.id).some(
    (view) => view.name !== null && view.fragment !== fragment && fold(view.name) === fold(name),
  );
  if (isTaken) throw alreadyExists();
}

function alreadyExists() {
  return badRequest('Navigation view already exists.');
}

const maxTitleLength = 60;

export function snippetViews(db: Database, userId: number): WireSnippet[] {
  return db.all<SnippetRow>('SELECT * FROM saved_snippet WHERE user_id = ? ORDER BY id', userId).map(snippetView);
}

function snippetView({id, title, content, created_at}: SnippetRow): WireSnippet {
  return {id, title, content, date_created: created_at};
}

export function createSnippet(act: RequestContext, input: {title: string; content: string}): number {
  const row = {user_id: act.actor.id, ...input, ...checkedSnippet(input), created_at: act.now};
  const id = act.db.insertRow('saved_snippet', row);
  emitSnippets(act, {op: 'add', saved_snippet: snippetView({id, ...row})});
  return id;
}

function emitSnippets(act: RequestContext, body: Readonly<Record<string, unknown>>): void {
  act.emit('saved_snippets', [act.actor.id], body);
}

function ownSnippet({db, actor}: RequestContext, id: number): SnippetRow {
  const snippet = db.get<SnippetRow>('SELECT * FROM saved_snippet WHERE id = ? AND user_id = ?', id, actor.id);
  return required(snippet, () => notFoundError('Saved snippet does not exist.'));
}

/** Returns the texts of a snippet that are given. */
function checkedSnippet(input: {title?: string | undefined; content?: string | undefined}) {
  const {title, content} = input;
  return {
    ...(title === undefined ? {} : {title: cleanText('title', title, maxTitleLength)}),
    ...(content === undefined ? {} : {content: cleanText('content', content, maxContentLength)}),
  };
}

function cleanText(what: string, input: string, maxLength: number): string {
  const text = input.trim();
  if (text === '') throw badRequest(`${what} cannot be blank`);
  if (text.includes('\0')) throw badRequest(`${what} must not contain null bytes.`);
  if (Array.from(text).length > maxLength) throw badRequest(`${what} is too long (limit: ${maxLength} characters)`);
  return text;
}

/** The notices that Zulip's applications show once, by name. */
const notices = [
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'first_stream_created_banner',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'interleaved_view_messages_fading',
  'intro_resolve_topic',
  'navigation_tour_video',
  'intro_go_to_conversation_tooltip',
];
const actions = ['narrow_to_dm_with_welcome_bot_new_user'];

const steps = [
  ...notices.map((name) => ({type: 'one_time_notice', name})),
  ...actions.map((name) => ({type: 'one_time_action', name})),
];

/** Returns the steps that the user has not seen. */
export function onboardingSteps(db: Database, userId: number): readonly {type: string; name: string}[] {
  const seen = new Set(db.pluck<string>('SELECT name FROM onboarding_step WHERE user_id = ?', userId));
  return steps.filter(({name}) => !seen.has(name));
}

interface ModeCommand {
  readonly setting: 'color_scheme' | 'fluid_layout_width';
  readonly value: UserSettings['color_scheme'] | UserSettings['fluid_layout_width'];
  /** The words of the two responses. */
  readonly changed: string;
  readonly unchanged: string;
  readonly opposite: string;
}

/** The commands that change how Zulip's web app looks; the response says so. */
const modeCommands: Readonly<Record<string, ModeCommand>> = {
  dark: {setting: 'color_scheme', value: 2, changed: 'dark theme', unchanged: 'dark theme', opposite: 'light'},
  light: {setting: 'color_scheme', value: 3, changed: 'light theme', unchanged: 'light theme', opposite: 'dark'},
  'fluid-width': {
    setting: 'fluid_layout_width',
    value: true,
    changed: 'fluid-width mode',
    unchanged: 'fluid width mode',
    opposite: 'fixed-width',
  },
  'fixed-width': {
    setting: 'fluid_layout_width',
    value: false,
    changed: 'fixed-width mode',
    unchanged: 'fixed width mode',
    opposite: 'fluid-width',
  },
};

/** Runs a slash command that is not sent as a message. */
function runSlashCommand(act: RequestContext, text: string): {msg?: string} {
  if (!text.startsWith('/')) throw badRequest('There should be a leading slash in the zcommand.');
  const name = text.slice(1);
  if (name === 'ping') return {};
  const command = Object.hasOwn(modeCommands, name) ? modeCommands[name] : undefined;
  if (command === undefined) throw badRequest(`No such command: ${name}`);
  const {setting, value, changed, unchanged, opposite} = command;
  if (userSettings(act.actor)[setting] === value) return {msg: `You are still in ${unchanged}.`};
  changeUserSettings(act, act.actor, {[setting]: value});
  return {msg: `Changed to ${changed}! To revert ${changed}, type \`/${opposite}\`.`};
}

interface DraftRow {
  readonly id: number;
  readonly user_id: number;
  readonly type: '' | 'stream' | 'private';
  /** JSON: the ids of users, or a list with one channel id. */
  readonly recipients: string;
  readonly topic: string;
  readonly content: string;
  readonly edited_at: number;
}

/** Returns a user's drafts, last edited first. */
export function draftViews(db: Database, userId: number, limit = -1): WireDraft[] {
  const sql = 'SELECT * FROM draft WHERE user_id = ? ORDER BY edited_at DESC, id DESC LIMIT ?';
  return db.all<DraftRow>(sql, userId, limit).map(draftView);
}

function draftView({id, type, recipients, topic, content, edited_at}: DraftRow): WireDraft {
  return {id, type, to: JSON.parse(recipients), topic, content, timestamp: edited_at};
}

function checkSynchronized({actor}: RequestContext): void {
  check(userSettings(actor).enable_drafts_synchronization, 'User has disabled synchronizing drafts.');
}

/** Creates drafts and returns their ids, in the order of `inputs`. */
export function createDrafts(act: RequestContext, inputs: readonly DraftInput[]): number[] {
  const drafts = inputs.map((input) => {
    const row = {user_id: act.actor.id, ...cleanDraft(act, input)};
    return {id: act.db.insertRow('draft', row), ...row};
  });
  emitDrafts(act, {op: 'add', drafts: drafts.map(draftView)});
  return drafts.map((draft) => draft.id);
}

function emitDrafts(act: RequestContext, body: Readonly<Record<string, unknown>>): void {
  act.emit('drafts', [act.actor.id], body);
}

function ownDraft({db, actor}: RequestContext, id: number): DraftRow {
  const draft = db.get<DraftRow>('SELECT * FROM draft WHERE id = ? AND user_id = ?', id, actor.id);
  return required(draft, () => notFoundError('Draft does not exist'));
}

function cleanDraft(act: RequestContext, input: DraftInput): Omit<DraftRow, 'id' | 'user_id'> {
  // Unlike in messages, leading blanks are stripped too.
  const content = cleanContent(input.content.trim());
  const edited_at = editTime(act, input.timestamp);
  const topic = input.type === 'stream' ? draftTopic(input.topic) : '';
  const recipients = recipientsOf(act, input);
  const type = recipients.length === 0 ? '' : input.type;
  return {type, recipients: JSON.stringify(recipients), topic, content, edited_at};
}

function recipientsOf(act: RequestContext, {type, to}: DraftInput): number[] {
  const {actor} = act;
  if (type === '' || (type === 'private' && to.length === 0)) return [];
  if (type === 'private') return conversationUserIds(actor, otherRecipients(act, actor, to));
  const [id, ...more] = to;
  check(id !== undefined && more.length === 0, 'Must specify exactly 1 channel ID for channel messages');
  requireActive(requireReadableChannel(act, actor, id));
  return [id];
}

/** Returns a draft's topic. It may be incomplete, so only topics that cannot be stored are refused. */
function draftTopic(input: string): string {
  if (input.includes('\0')) throw badRequest('Topic must not contain null bytes');
  return truncateText(input, maxTopicLength, '...');
}

function editTime(act: ActionContext, timestamp: number | null | undefined): number {
  if (timestamp === undefined || timestamp === null) return act.now;
  if (timestamp < 0) throw badRequest('Timestamp must not be negative.');
  if (timestamp > maxTimestamp) throw badRequest('Timestamp is too large.');
  return Math.floor(timestamp);
}
