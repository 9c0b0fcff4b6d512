import {forbiddenInNames} from '#server/actions/inputs/name-characters.ts';
import type {ActionContext} from '#server/context.ts';
import {findNavigationView, type NavigationViewRow, navigationViewsOf} from '#server/db/navigation-views.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {badRequest, notFoundError} from '#server/http/errors.ts';
import {navigationViewView} from '#server/views/navigation-view.ts';
import {builtInFragments} from '#wire/objects/navigation-view.ts';

/** A fragment must fit into one segment of a URL path. */
const maxFragmentLength = 1000;
const maxNameLength = 100;
const builtIn = new Set<string>(builtInFragments);

export function addNavigationView(
  act: ActionContext,
  actor: UserRow,
  input: {fragment: string; isPinned: boolean; name: string | undefined},
): void {
  const fragment = input.fragment.trim();
  if (fragment.length > maxFragmentLength) throw badRequest(`Fragment is too long (limit: ${maxFragmentLength}).`);
  if (fragment.includes('\0')) throw badRequest('Fragment must not contain null bytes.');
  const name = input.name === undefined ? null : cleanName(fragment, input.name);
  if (name === null && !builtIn.has(fragment)) throw badRequest('Custom views must have a valid name.');
  if (findNavigationView(act.db, actor.id, fragment) !== undefined) throw alreadyExists();
  checkNameIsFree(act, actor, fragment, name);
  const row = {user_id: actor.id, fragment, is_pinned: input.isPinned ? 1 : 0, name};
  act.db.insertRow('navigation_view', {
    user_id: row.user_id,
    fragment: row.fragment,
    is_pinned: row.is_pinned,
    name: row.name,
  });
  act.emit({
    type: 'navigation_view',
    to: [actor.id],
    // Unlike lists, the event has the name of a built-in view, too.
    body: {op: 'add', navigation_view: {name: null, ...navigationViewView(row)}},
  });
}

export function editNavigationView(
  act: ActionContext,
  actor: UserRow,
  fragment: string,
  changes: {isPinned: boolean | undefined; name: string | undefined},
): void {
  if (changes.name !== undefined) cleanName(fragment, changes.name);
  const before = ownView(act, actor, fragment);
  const name = changes.name === undefined ? before.name : cleanName(fragment, changes.name);
  checkNameIsFree(act, actor, fragment, name);
  const isPinned = changes.isPinned ?? before.is_pinned === 1;
  act.db.run(
    'UPDATE navigation_view SET is_pinned = ?, name = ? WHERE user_id = ? AND fragment = ?',
    isPinned ? 1 : 0,
    name,
    actor.id,
    fragment,
  );
  const data = {
    ...(changes.isPinned === undefined ? {} : {is_pinned: isPinned}),
    ...(changes.name === undefined ? {} : {name}),
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
