import express, { type RequestHandler } from 'express';

const FORM_BYTES = 256 * 1024;
const urlencoded = express.urlencoded({ extended: false, limit: FORM_BYTES, inflate: false, parameterLimit: 2_000 });

/** What can't be read is a form without fields. */
export const readForm: RequestHandler = (req, res, next) => urlencoded(req, res, () => next());
