import {endpoint, flag, loose, optional, pathText, text} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {navigationView} from '#wire/objects/navigation-view.ts';
import {nullableText, object, s} from '#wire/schema.ts';

/** The view's name; null or absent for a built-in view without its own name. */
const name = optional(loose(nullableText));

export const getNavigationViews = endpoint('navigation-view.list', 'GET /navigation_views', {
  since: levels.navigationViews,
  result: object({navigation_views: s.array(navigationView)}),
});

export const addNavigationView = endpoint('navigation-view.add', 'POST /navigation_views', {
  since: levels.navigationViews,
  params: {fragment: text, is_pinned: flag, name},
});

/** Updates a view. The fragment is one path segment, with its slashes percent-encoded. */
export const editNavigationView = endpoint('navigation-view.edit', 'PATCH /navigation_views/{fragment}', {
  since: levels.navigationViews,
  params: {fragment: pathText, is_pinned: optional(flag), name},
});

export const removeNavigationView = endpoint('navigation-view.remove', 'DELETE /navigation_views/{fragment}', {
  since: levels.navigationViews,
  params: {fragment: pathText},
});
