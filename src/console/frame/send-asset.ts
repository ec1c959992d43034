import type { RequestHandler } from 'express';
import { assetAt } from '../assets/assets.ts';
import { pageHeaders } from './page-headers.ts';

const YEAR = 'public, max-age=31536000, immutable';

/** A file of the pages, at `…/assets/:name`. */
export const sendAsset: RequestHandler = (req, res, next) => {
  const asset = assetAt(String(req.params['name']));
  if (asset === null) return next();
  res.writeHead(200, { ...pageHeaders, 'cache-control': YEAR, 'content-type': asset.type, 'content-length': asset.content.length });
  res.end(asset.content);
};
