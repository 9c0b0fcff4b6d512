import {forbiddenInNames} from '#server/actions/inputs.ts';
import type {RequestContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {fold} from '#server/db/rows.ts';
import {badRequest, check, notFoundError, required} from '#server/errors.ts';
import {type Route, route} from '#server/route.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {OutgoingBody} from '#wire/events.ts';
import {builtInFragments, type WireNavigationView} from '#wire/objects/personal.ts';

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

export const navigationViewRoutes: readonly Route[] = [
  route(endpoints.getNavigationViews, 'account', ({db, actor}) => ({navigation_views: navigationViews(db, actor.id)})),
  route(endpoints.addNavigationView, 'account', addNavigationView),
  route(endpoints.editNavigationView, 'account', editNavigationView),
  route(endpoints.removeNavigationView, 'account', (call, {fragment}) => {
    ownView(call, fragment);
    call.db.deleteRows('navigation_view', {user_id: call.actor.id, fragment});
    emitView(call, {op: 'remove', fragment});
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

function emitView(act: RequestContext, body: OutgoingBody<'navigation_view'>): void {
  act.emit('navigation_view', [act.actor.id], body);
}

function addNavigationView(act: RequestContext, input: ParamsOf<typeof endpoints.addNavigationView>): void {
  const fragment = input.fragment.trim();
  if (fragment.length > maxFragmentLength) throw badRequest(`Fragment is too long (limit: ${maxFragmentLength}).`);
  check(!fragment.includes('\0'), 'Fragment must not contain null bytes.');
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
  check(!builtIn.has(fragment), 'Built-in views cannot have a custom name.');
  const name = input.trim();
  check(name !== '' && !forbiddenInNames.test(name), 'Custom views must have a valid name.');
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
