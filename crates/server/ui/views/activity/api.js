// @ts-check
import { ofBrand, request } from "../../app/api.js";

/** @param {string} brandId @param {Record<string, string>} filters `limit`, `cursor`, `kind`, `outcome`, `key_id`; empty ones are left out. @returns {Promise<ActivityPage>} */
export const loadEvents = (brandId, filters) => request("GET",
	`${ofBrand(brandId)}/mcp-activity?${new URLSearchParams(Object.entries(filters).filter(([, value]) => value))}`);

/** @param {string} brandId @param {string} days @returns {Promise<Usage>} */
export const loadUsage = (brandId, days) => request("GET", `${ofBrand(brandId)}/mcp-usage?days=${days}`);
