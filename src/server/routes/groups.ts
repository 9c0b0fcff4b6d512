import type {Route} from '#server/http/route.ts';

export const groupsRoutes: readonly Route[] = [];
