-- Version 1.0.0 let users set their records to 'lunas' and did not store that the office had not checked it: such a record
-- printed a receipt with a framed LUNAS. The audit, from which no entry is ever deleted, says who did it and when. A claim is
-- what the owner wrote last about the payment or the object, unless an admin set the status after that: the rules of
-- R-CHECK-3 and R-CHECK-4. Each call writes an entry, so a record without one was stored on the server itself, by the
-- office: it stays as it is.
UPDATE `tax_records` SET `reported_at` = (
  SELECT cast(`at` AS integer) FROM `audit_entries`
  WHERE `subject_id` = `tax_records`.`id` AND NOT `actor_is_admin`
    AND EXISTS (
      SELECT 1 FROM json_each(`changes`) WHERE `value` ->> 'field' IN
        ('status', 'payment_date', 'payment_proof', 'amount', 'due_date', 'name', 'address', 'spt_number')
    )
    AND `id` > coalesce((
      SELECT max(`id`) FROM `audit_entries`
      WHERE `subject_id` = `tax_records`.`id` AND `actor_is_admin`
        AND EXISTS (SELECT 1 FROM json_each(`changes`) WHERE `value` ->> 'field' = 'status')
    ), 0)
  ORDER BY `id` DESC LIMIT 1
)
WHERE `status` = 'lunas' AND `reported_at` IS NULL AND `checked_at` IS NULL;
