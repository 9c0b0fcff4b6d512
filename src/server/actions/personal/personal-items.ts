import {type UserSettings, userSettings} from '#server/accounts/user-settings.ts';
import {forbiddenInNames, maxContentLength} from '#server/actions/inputs/message-text.ts';
import {changeUserSettings} from '#server/actions/users/update-account.ts';
import type {ActionContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {
  findNavigationView,
  findSnippet,
  type NavigationViewRow,
  navigationViewsOf,
  type SnippetRow,
} from '#server/db/personal-items.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {badRequest, notFoundError} from '#server/http/errors.ts';
import {navigationViewView, snippetView} from '#server/views/personal-items.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import type {endpoints} from '#wire/endpoints.ts';
import {builtInFragments} from '#wire/objects/personal.ts';

/** A fragment must fit into one segment of a URL path. */
const maxFragmentLength = 1000;
const maxNameLength = 100;
const builtIn = new Set<string>(builtInFragments);

type NewView = ParamsOf<typeof endpoints.addNavigationView>;
type ViewChanges = ParamsOf<typeof endpoints.editNavigationView>;

export function addNavigationView(act: ActionContext, actor: UserRow, input: NewView): void {
  const fragment = input.fragment.trim();
  if (fragment.length > maxFragmentLength) throw badRequest(`Fragment is too long (limit: ${maxFragmentLength}).`);
  if (fragment.includes('\0')) throw badRequest('Fragment must not contain null bytes.');
  const name = input.name == null ? null : cleanName(fragment, input.name);
  if (name === null && !builtIn.has(fragment)) throw badRequest('Custom views must have a valid name.');
  if (findNavigationView(act.db, actor.id, fragment) !== undefined) throw alreadyExists();
  checkNameIsFree(act, actor, fragment, name);
  const row = {user_id: actor.id, fragment, is_pinned: input.is_pinned ? 1 : 0, name};
  act.db.insertRow('navigation_view', row);
  act.emit({
    type: 'navigation_view',
    to: [actor.id],
    // Unlike lists, the event has the name of a built-in view, too.
    body: {op: 'add', navigation_view: {name: null, ...navigationViewView(row)}},
  });
}

export function editNavigationView(act: ActionContext, actor: UserRow, {fragment, ...changes}: ViewChanges): void {
  const newName = changes.name == null ? undefined : cleanName(fragment, changes.name);
  const before = ownView(act, actor, fragment);
  const name = newName ?? before.name;
  checkNameIsFree(act, actor, fragment, name);
  const isPinned = changes.is_pinned ?? before.is_pinned === 1;
  const sql = 'UPDATE navigation_view SET is_pinned = ?, name = ? WHERE user_id = ? AND fragment = ?';
  act.db.run(sql, isPinned ? 1 : 0, name, actor.id, fragment);
  const data = {
    ...(changes.is_pinned === undefined ? {} : {is_pinned: isPinned}),
    ...(newName === undefined ? {} : {name}),
  };
  act.emit({type: 'navigation_view', to: [actor.id], body: {op: 'update', fragment, data}});
}

export function removeNavigationView(act: ActionContext, actor: UserRow, fragment: string): void {
  ownView(act, actor, fragment);
  act.db.run('DELETE FROM navigation_view WHERE user_id = ? AND fragment = ?', actor.id, fragment);
  act.emit({type: 'navigation_view', to: [actor.id], body: {op: 'remove', fragment}});
}

function ownView(act: ActionContext, actor: UserRow, fragment: string): NavigationViewRow {
  const view = findNavigationView(act.db, actor.id, fragment);
  if (view === undefined) throw notFoundError('Navigation view does not exist.');
  return view;
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

function checkNameIsFree(act: ActionContext, actor: UserRow, fragment: string, name: string | null): void {
  if (name === null) return;
  const isTaken = navigationViewsOf(act.db, actor.id).some(
    (view) => view.name !== null && view.fragment !== fragment && fold(view.name) === fold(name),
  );
  if (isTaken) throw alreadyExists();
}

function alreadyExists() {
  return badRequest('Navigation view already exists.');
}

const maxTitleLength = 60;

export function createSnippet(act: ActionContext, actor: UserRow, input: {title: string; content: string}): number {
  const title = cleanText('title', input.title, maxTitleLength);
  const content = cleanText('content', input.content, maxContentLength);
  const row = {user_id: actor.id, title, content, created_at: act.now};
  const id = act.db.insertRow('saved_snippet', row);
  const snippet = snippetView({id, ...row});
  act.emit({type: 'saved_snippets', to: [actor.id], body: {op: 'add', saved_snippet: snippet}});
  return id;
}

export function editSnippet(
  act: ActionContext,
  actor: UserRow,
  id: number,
  changes: {title: string | undefined; content: string | undefined},
): void {
  if (changes.title === undefined && changes.content === undefined) return;
  const title = changes.title === undefined ? undefined : cleanText('title', changes.title, maxTitleLength);
  const content = changes.content === undefined ? undefined : cleanText('content', changes.content, maxContentLength);
  const before = ownSnippet(act, actor, id);
  const after = {...before, title: title ?? before.title, content: content ?? before.content};
  act.db.run('UPDATE saved_snippet SET title = ?, content = ? WHERE id = ?', after.title, after.content, id);
  act.emit({type: 'saved_snippets', to: [actor.id], body: {op: 'update', saved_snippet: snippetView(after)}});
}

export function deleteSnippet(act: ActionContext, actor: UserRow, id: number): void {
  ownSnippet(act, actor, id);
  act.db.run('DELETE FROM saved_snippet WHERE id = ?', id);
  act.emit({type: 'saved_snippets', to: [actor.id], body: {op: 'remove', saved_snippet_id: id}});
}

function ownSnippet(act: ActionContext, actor: UserRow, id: number): SnippetRow {
  const snippet = findSnippet(act.db, actor.id, id);
  if (snippet === undefined) throw notFoundError('Saved snippet does not exist.');
  return snippet;
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

export function markOnboardingStep(act: ActionContext, user: UserRow, name: string): void {
  if (!steps.some((step) => step.name === name)) throw badRequest(`Unknown onboarding_step: ${name}`);
  act.db.insertNewRow('onboarding_step', {user_id: user.id, name});
  act.emit({type: 'onboarding_steps', to: [user.id], body: {onboarding_steps: onboardingSteps(act.db, user.id)}});
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
export function runSlashCommand(act: ActionContext, actor: UserRow, text: string): {msg?: string} {
  if (!text.startsWith('/')) throw badRequest('There should be a leading slash in the zcommand.');
  const name = text.slice(1);
  if (name === 'ping') return {};
  const command = Object.hasOwn(modeCommands, name) ? modeCommands[name] : undefined;
  if (command === undefined) throw badRequest(`No such command: ${name}`);
  const {setting, value, changed, unchanged, opposite} = command;
  if (userSettings(actor)[setting] === value) return {msg: `You are still in ${unchanged}.`};
  changeUserSettings(act, actor, {[setting]: value});
  return {msg: `Changed to ${changed}! To revert ${changed}, type \`/${opposite}\`.`};
}
