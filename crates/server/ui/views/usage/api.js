// @ts-check
import { ofBrand, request } from "../../app/api.js";
import { workspace } from "../../app/model.js";

/** @returns {Promise<BrandQuota[]>} */
export const listQuotas = async () => (await request("GET", `${ofBrand(workspace.brand.brand_id)}/quotas`)).quotas;
