import {endpoint, flag, loose, optional, pathText, text} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {navigationView} from '#wire/objects/navigation-view.ts';
import {nullableText, object, s} from '#wire/schema.ts';

/** Null, like leaving it out, says that the view has no name of its own. */
const name = optional(loose(nullableText));

export const getNavigationViews = endpoint('navigation-view.list', 'GET /navigation_views', {
  since: levels.navigationViews,
  result: object({navigation_views: s.array(navigationView)}),
});

export const addNavigationView = endpoint('navigation-view.add', 'POST /navigation_views', {
  since: levels.navigationViews,
  params: {fragment: text, is_pinned: flag, name},
});

/** The slashes of a fragment are percent-encoded: it is one segment. */
export const editNavigationView = endpoint('navigation-view.edit', 'PATCH /navigation_views/{fragment}', {
  since: levels.navigationViews,
  params: {fragment: pathText, is_pinned: optional(flag), name},
});

export const removeNavigationView = endpoint(
  'navigation-view.remove',
  'DELETE /navigation_views/{fragment}',
  {since: levels.navigationViews, params: {fragment: pathText}},
);
