import {endpoint, flag, loose, optional, pathRest, raw} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {navigationView} from '#wire/objects/navigation-view.ts';
import {object, s} from '#wire/schema.ts';

const notBlank = s.pipe(
  s.string(),
  s.check((text) => text.trim() !== '', '{at} cannot be blank'),
);
/** The view's name; null or absent for a built-in view. */
const name = optional(loose(s.nullable(notBlank)));

export const getNavigationViews = endpoint('navigation-view.list', 'GET /navigation_views', {
  since: levels.navigationViews,
  result: object({navigation_views: s.array(navigationView)}),
});

export const addNavigationView = endpoint('navigation-view.add', 'POST /navigation_views', {
  since: levels.navigationViews,
  params: {fragment: raw(notBlank), is_pinned: flag, name},
});

/** Updates a view. The fragment is the rest of the path, with or without its slashes percent-encoded. */
export const editNavigationView = endpoint('navigation-view.edit', 'PATCH /navigation_views/{fragment}', {
  since: levels.navigationViews,
  params: {fragment: pathRest, is_pinned: optional(flag), name},
});

export const removeNavigationView = endpoint('navigation-view.remove', 'DELETE /navigation_views/{fragment}', {
  since: levels.navigationViews,
  params: {fragment: pathRest},
});
